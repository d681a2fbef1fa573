/* The address spaces of a run: how much room they need, and what a file says is mapped. */
#include "sim/environment/environment_state.h"
#include "sim/tables/hashed_layout.h"

#include <string.h>

bool lw_environment_make_spaces(lw_environment *env, lw_room room, uint64_t seed, lw_error *err) {
    env->spaces = lw_address_spaces_new(env->system, room.pages, seed, err);
    return env->spaces != NULL && lw_address_spaces_hash(env->spaces, room.regions, err);
}

lw_room lw_environment_room_of(const lw_array *arrays, size_t count) {
    lw_room room = {0, 0};
    for (size_t a = 0; arrays != NULL && a < count; a++) {
        room.pages += (arrays[a].bytes >> LW_PAGE_SHIFT) + 2;
        room.regions += (arrays[a].bytes >> (LW_PAGE_SHIFT + LW_BLOCK_SHIFT)) + 2;
    }
    return room;
}

lw_mapping lw_mapped_by(const lw_run *run) {
    return run->map == NULL || strcmp(run->map, "touched") == 0 ? LW_MAPPED_TOUCHED
           : strcmp(run->map, "arrays") == 0                    ? LW_MAPPED_ARRAYS
                                                                : LW_MAPPED_FILE;
}

bool lw_environment_map_file(lw_environment *env, const lw_run *run, uint32_t spaces,
                             lw_error *err) {
    lw_address_map *map = lw_address_map_read(run->map, env->system, err);
    if (map == NULL) {
        return false;
    }
    env->spaces =
        lw_address_spaces_new_beside(env->system, lw_address_map_pages(map), run->seed, map, err);
    bool good = env->spaces != NULL &&
                lw_address_spaces_hash(env->spaces, lw_address_map_regions(map), err);
    const uint32_t mapped = lw_address_map_spaces(map);
    for (uint32_t p = 0; p < (spaces > mapped ? spaces : mapped) && good; p++) {
        good = lw_address_spaces_add_map(env->spaces, map, err);
    }
    lw_address_map_free(map);
    return good;
}
