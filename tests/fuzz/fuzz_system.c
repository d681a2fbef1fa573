/* Systems (systems/NAME.ini): what is read is within its keys' ranges, and written out as it is and
 * read again it is the same. */
#include "sim/system/system.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>

static size_t write_out(const lw_system *system, char *text, size_t room) {
    const lw_system_key *key = NULL;
    size_t length = 0;
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        uint32_t number = 0;
        const char *value = lw_system_value(system, i, &number);
        const char *section = key->section;
        int more = snprintf(text + length, room - length, "[%s]\n%s = ", section, key->name);
        length += (size_t)more;
        more = value != NULL ? snprintf(text + length, room - length, "%s\n", value)
                             : snprintf(text + length, room - length, "%u\n", number);
        length += (size_t)more;
        fuzz_must(length < room, "room for a system");
        fuzz_must(key->is_text || (key->min <= number && number <= key->max),
                  "a value within its key's range");
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static lw_system system, again;
    static char text[1 << 16], text_again[1 << 16];
    lw_error err = {0};
    const char *path = fuzz_file("input.ini", data, size);
    if (!lw_system_load(&system, "systems", path, &err) || !lw_system_check(&system, &err)) {
        fuzz_must(err.text[0] != '\0', "a refusal is a sentence");
        return 0;
    }
    const size_t length = write_out(&system, text, sizeof text);
    path = fuzz_file("again.ini", (const uint8_t *)text, length);
    if (!lw_system_load(&again, "systems", path, &err)) {
        (void)fprintf(stderr, "fuzz: %s\n", err.text);
        fuzz_must(false, "a system that was read is read again");
    }
    fuzz_must(write_out(&again, text_again, sizeof text_again) == length &&
                  memcmp(text, text_again, length) == 0,
              "a system that is read again is the same");
    return 0;
}
