#include "common/printable.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the character of UTF-8 that begins at `text`, if a terminal shows it as it is; else 0.
 */
static size_t shown(const unsigned char *text) {
    static const struct {
        unsigned char mask, lead;
        unsigned lowest; /* that needs so many bytes */
    } forms[] = {{0x80, 0, 0x20}, {0xe0, 0xc0, 0xa0}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    enum { FORMS = sizeof forms / sizeof forms[0], DEL = 0x7f, LAST = 0x10ffff };
    size_t more = 0;
    while (more < FORMS && (text[0] & forms[more].mask) != forms[more].lead) {
        more++;
    }
    if (more == FORMS) {
        return 0;
    }
    unsigned code = text[0] & (unsigned char)~forms[more].mask;
    for (size_t i = 1; i <= more; i++) {
        if ((text[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (text[i] & 0x3fu);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < forms[more].lowest || code == DEL || code > LAST || surrogate ? 0 : more + 1;
}

void lw_printable(char *to, size_t room, const char *from) {
    enum { ESCAPED = 4 };
    size_t used = 0;
    while (*from != '\0') {
        const size_t n = shown((const unsigned char *)from);
        if (used + (n == 0 ? ESCAPED : n) >= room) {
            break;
        }
        if (n == 0) {
            (void)snprintf(to + used, room - used, "\\x%02x", (unsigned char)*from);
        } else {
            memcpy(to + used, from, n);
        }
        used += n == 0 ? ESCAPED : n;
        from += n == 0 ? 1 : n;
    }
    to[used] = '\0';
}
