/* Sentences about what has failed, what may stand in them, and the numbers that they are often
 * about (common/error.h, printable.h, number.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/error.h"
#include "common/number.h"
#include "common/printable.h"

#include <stdio.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Printable UTF-8 stays; a control character, and each byte of what is no character or has too many
 * bytes for it, stands as \xNN. */
static void test_printable(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"", ""},
        {"a ~\"\\", "a ~\"\\"},
        {"\n\x1b[31m\x1f\x7f", "\\x0a\\x1b[31m\\x1f\\x7f"},
        {"\xc2\x80\xc2\x9f", "\\xc2\\x80\\xc2\\x9f"}, /* C1 controls */
        {"\xc2\xa0\xdf\xbf", "\xc2\xa0\xdf\xbf"},     /* the first and the last of two bytes, */
        {"\xe0\xa0\x80\xef\xbf\xbf", "\xe0\xa0\x80\xef\xbf\xbf"}, /* of three, */
        {"\xf0\x90\x80\x80", "\xf0\x90\x80\x80"},                 /* and of four */
        {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* past the last */
        {"\xc1\xbf", "\\xc1\\xbf"},                   /* one byte is enough for it, */
        {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},          /* two, */
        {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"}, /* three */
        {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, /* half of a pair */
        {"\xed\xbf\xbf", "\\xed\\xbf\\xbf"},
        {"\x80"
         "a",
         "\\x80a"},                                 /* begins none */
        {"\xe2\xc2\xa0\xa0", "\\xe2\xc2\xa0\\xa0"}, /* another begins within it */
        {"\xe2\x82", "\\xe2\\x82"},                 /* ends too early */
        {"\xe2\x82"
         "a",
         "\\xe2\\x82a"},
        {"\xf8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char to[64];
        lw_printable(to, sizeof to, rows[i].from);
        assert_string_equal(to, rows[i].to);
    }
}

/* What does not fit is cut between two characters, of which one may be as long as \xNN. */
static void test_cut(void **state) {
    (void)state;
    static const char *const whole[] = {"ab", "ab\xc3\xbc", "ab\xc3\xbc\\xff", "ab\xc3\xbc\\xffz"};
    for (size_t room = 1; room < 12; room++) {
        char to[16], wanted[16] = "";
        memset(to, '?', sizeof to);
        lw_printable(to, room, "ab\xc3\xbc\xffz");
        if (room == 2) {
            (void)strcpy(wanted, "a");
        }
        for (size_t i = 0; i < COUNT(whole); i++) {
            if (strlen(whole[i]) < room) {
                (void)strcpy(wanted, whole[i]);
            }
        }
        assert_string_equal(to, wanted);
        assert_int_equal(to[room], '?');
    }
}

/* A sentence, or that of a parameter, which it begins with; nobody need listen; a part of it may be
 * what stood there before; it is cut at the buffer's end. */
static void test_fail(void **state) {
    (void)state;
    lw_error err = {0};
    char much[3000];
    assert_false(lw_fail(NULL, "%d", 1));
    assert_false(lw_fail_key(NULL, "walkers", " is %d", 1));
    assert_false(lw_fail_key(&err, "walkers", " is %d, %s", 40, "\x1b"));
    assert_string_equal(err.text, "walkers is 40, \\x1b");
    assert_string_equal(err.key, "walkers");
    assert_false(lw_fail(&err, "a.ini:3: %s", err.text));
    assert_string_equal(err.text, "a.ini:3: walkers is 40, \\x1b");
    assert_string_equal(err.key, "");
    assert_false(lw_fail_key(&err, "a_key_of_thirty_one_characters_", " is 1"));
    assert_string_equal(err.key, "a_key_of_thirty_one_characters_");
    assert_string_equal(err.text, "a_key_of_thirty_one_characters_ is 1");
    memset(much, 'x', sizeof much - 1);
    much[sizeof much - 1] = '\0';
    assert_false(lw_fail(&err, "%s", much));
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(strspn(err.text, "x"), sizeof err.text - 1);
}

/* Decimal, or hexadecimal behind 0x; what is none, or too large, is not read and not passed over.
 */
static void test_numbers(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t max, value;
        int length; /* of what is read; -1: nothing is */
    } rows[] = {{"0", 0, 0, 1},
                {"010 ", 10, 10, 3},
                {"11", 10, 0, -1},
                {"0x1fz", 31, 31, 4},
                {"0XAb,", 1000, 0xab, 4},
                {"0x20", 31, 0, -1},
                {"0x", 31, 0, -1},
                {"0xg", 31, 0, -1},
                {"", 31, 0, -1},
                {" 1", 31, 0, -1},
                {"+1", 31, 0, -1},
                {"-1", UINT64_MAX, 0, -1},
                {"f", 31, 0, -1},
                {"18446744073709551615", UINT64_MAX, UINT64_MAX, 20},
                {"18446744073709551616", UINT64_MAX, 0, -1},
                {"0xffffffffffffffff", UINT64_MAX, UINT64_MAX, 18},
                {"0x10000000000000000", UINT64_MAX, 0, -1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *at = rows[i].text;
        uint64_t value = 0;
        assert_int_equal(lw_number_read(&at, rows[i].max, &value), rows[i].length >= 0);
        assert_int_equal(at - rows[i].text, rows[i].length < 0 ? 0 : rows[i].length);
        assert_true(value == rows[i].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printable),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_fail),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
