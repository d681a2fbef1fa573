#include "common/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool lw_number_read(const char **text, uint64_t max, uint64_t *value) {
    /* strtoull would also take blanks, a sign and octal */
    if (!isdigit((unsigned char)**text)) {
        return false;
    }
    bool hex = (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X');
    if (hex && !isxdigit((unsigned char)(*text)[2])) {
        return false;
    }
    char *end = NULL;
    errno = 0;
    unsigned long long number = strtoull(*text, &end, hex ? 16 : 10);
    if (errno != 0 || number > max) {
        return false;
    }
    *text = end;
    *value = number;
    return true;
}
