/* Arrays that grow: the one way in which this program lets a list become longer. */
#ifndef LW_COMMON_ROOM_H
#define LW_COMMON_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Sees to it that `*items`, an array with room for `*room` items of `size` bytes (NULL with none),
 * has room for `need` of them; it grows by half of what it becomes, so that adding one after
 * another is cheap. False without memory, with the array as it was. */
bool lw_room(void **items, size_t *room, size_t need, size_t size);

#endif
