/* A map of the registers of a design of one's own (dpi/register_map.h): what each line says, and
 * what is refused, with its file and line. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/register_map.h"

#include <stdio.h>
#include <unistd.h>

typedef struct fixture {
    lw_system system;
    char path[64];
    lw_register_map map;
    lw_error err;
} fixture;

/* stress_small, which has no MSC, and a map with this text. */
static bool read_text(fixture *f, const char *text) {
    memset(f, 0, sizeof *f);
    environment_load(&f->system, "stress_small", NULL, NULL);
    (void)snprintf(f->path, sizeof f->path, "/tmp/register_map_XXXXXX");
    const int file = mkstemp(f->path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(file);
    const bool good = lw_register_map_read(&f->map, f->path, &f->system.hw, &f->err);
    (void)unlink(f->path);
    return good;
}

static void assert_place(const fixture *f, lw_field field, unsigned number, const char *instance,
                         const char *name) {
    const lw_register_line *line = &f->map.line[field];
    assert_int_equal(line->number, number);
    assert_string_equal(line->instance, instance);
    assert_string_equal(line->name, name);
    assert_false(line->nowhere);
}

static size_t lines_of(const lw_register_map *map) {
    size_t n = 0;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        n += map->line[f].number != 0;
    }
    return n;
}

/* Blanks, comments and empty lines do not count, lines do; the last needs no end. The instance is
 * what stands before the last dot. */
static void test_lines(void **state) {
    fixture f;
    (void)state;
    assert_true(read_text(&f, "# a map\n"
                              "\n"
                              "PWST.STATE u_walk.u_mine.state_q\r\n"
                              " \tTLB_RANK.RANK  rank_q # in the top\n"
                              "TLB.PFN -\n"
                              "#TLB.TAG u.tag_q\n"
                              "BUFFER.VPN u.vpn_q"));
    assert_place(&f, LW_F_PWST_STATE, 3, "u_walk.u_mine", "state_q");
    assert_place(&f, LW_F_TLB_RANK_RANK, 4, "", "rank_q");
    assert_place(&f, LW_F_BUFFER_VPN, 7, "u", "vpn_q");
    assert_true(f.map.line[LW_F_TLB_PFN].nowhere);
    assert_int_equal(f.map.line[LW_F_TLB_PFN].number, 5);
    assert_int_equal(lines_of(&f.map), 4);
    assert_string_equal(f.map.path, f.path);
}

static void test_no_file(void **state) {
    fixture f;
    (void)state;
    assert_true(read_text(&f, ""));
    assert_int_equal(lines_of(&f.map), 0);
    assert_true(read_text(&f, "TLB.PFN -"));
    assert_int_equal(lines_of(&f.map), 1); /* which the next map has not */
    assert_true(lw_register_map_read(&f.map, NULL, &f.system.hw, &f.err));
    assert_null(f.map.path);
    assert_int_equal(lines_of(&f.map), 0);
    assert_false(lw_register_map_read(&f.map, "/nowhere/map", &f.system.hw, &f.err));
    assert_string_equal(f.err.text,
                        "--registers: /nowhere/map cannot be read (No such file or directory)");
    assert_false(lw_register_map_read(&f.map, "/tmp", &f.system.hw, &f.err));
    assert_string_equal(f.err.text, "--registers: /tmp cannot be read (Is a directory)");
}

static void assert_refused(const char *text, const char *said) {
    fixture f;
    char sentence[512];
    assert_false(read_text(&f, text));
    (void)snprintf(sentence, sizeof sentence, "%s:%s", f.path, said);
    assert_string_equal(f.err.text, sentence);
}

static void test_refusals(void **state) {
    (void)state;
    const char *const form = "2: allowed: STRUCTURE.FIELD and instance.name, or - for none";
    assert_refused("\nPWST.STATE\n", form);
    assert_refused("\nPWST.STATE # u.state_q\n", form);
    assert_refused("\nPWST.STATE u.state_q 8\n", form);
    static const char *const unknown[] = {"PWST",       "PWST.",   "PWST.STATES", "PWST_STATE",
                                          "pwst.state", "MSC.TAG", "TLB.STATE",   "WST.STATE"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char text[64], said[160];
        (void)snprintf(text, sizeof text, "%s u.state_q", unknown[i]);
        (void)snprintf(said, sizeof said,
                       "1: this system has no register \"%s\"; `lockwalk registers` lists them",
                       unknown[i]);
        assert_refused(text, said);
    }
    assert_refused("PWST.STATE -\nTLB.PFN a\nPWST.STATE b\nTLB.PFN c",
                   "3: PWST.STATE stands in line 1 already");
    assert_refused("PWST.STATE u_walk.",
                   "1: \"u_walk.\" is no instance.name of at most 127 characters each");
}

/* 127 characters are a name, or an instance; one more is none. */
static void test_lengths(void **state) {
    enum { MOST = LW_PLACE_MAX - 1 };
    (void)state;
    for (int instance = 0; instance < 2; instance++) {
        for (int over = 0; over < 2; over++) {
            fixture f;
            char place[LW_PLACE_MAX + 1], text[2 * LW_PLACE_MAX];
            memset(place, 'x', sizeof place);
            place[MOST + over] = '\0';
            (void)snprintf(text, sizeof text, instance != 0 ? "TLB.PFN %s.q" : "TLB.PFN u.%s",
                           place);
            assert_int_equal(read_text(&f, text), over == 0);
            if (over == 0) {
                assert_place(&f, LW_F_TLB_PFN, 1, instance != 0 ? place : "u",
                             instance != 0 ? "q" : place);
            } else {
                assert_non_null(strstr(f.err.text, "is no instance.name of at most 127"));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_lengths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
