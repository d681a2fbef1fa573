#include "common/room.h"

#include <stdint.h>
#include <stdlib.h>

bool lw_room(void **items, size_t *room, size_t need, size_t size) {
    if (need <= *room) {
        return true;
    }
    const size_t larger = need > 2 * *room ? need + 64 : 2 * *room;
    if (larger > SIZE_MAX / size) {
        return false;
    }
    void *moved = realloc(*items, larger * size);
    if (moved == NULL) {
        return false;
    }
    *items = moved;
    *room = larger;
    return true;
}
