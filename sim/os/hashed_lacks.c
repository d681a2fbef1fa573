#include "sim/os/hashed_lacks.h"

#include "sim/os/address_space_state.h"
#include "sim/os/hashed_mapping.h"

enum { LINE_FRAME_SHIFT = LW_PAGE_SHIFT - LW_LINE_SHIFT };

static uint64_t physical_frames(const lw_address_spaces *s) {
    return UINT64_C(1) << (s->system->hw.pa_width - LW_PAGE_SHIFT);
}

static uint64_t end_frame(const lw_address_spaces *s) {
    return s->end_frame + LW_TABLE_FRAMES;
}

bool lw_address_spaces_can_lack(const lw_address_spaces *s) {
    return physical_frames(s) - end_frame(s) >= UINT64_C(1) << LW_TABLE_FRAMES_LOG_MAX;
}

void lw_address_spaces_lack_next(lw_address_spaces *s, lw_lack what) {
    s->processes[s->count].lack = what;
    s->lack = true;
}

lw_lack lw_address_spaces_lacks(const lw_address_spaces *s, uint32_t process) {
    return process < s->count ? s->processes[process].lack : LW_LACKS_NOTHING;
}

/* The last frames that an address can name: a run of 2^order, a multiple of its size. */
static uint64_t last_frames(const lw_address_spaces *s, uint32_t order) {
    return physical_frames(s) - (UINT64_C(1) << order);
}

/* log2 of the frames that the slots fill. */
static uint32_t slots_order(const lw_hashed_walk_query *q) {
    return q->table_log - (q->slot_pages == LW_SLOT_OF_A_LINE ? LW_STEP_LOG_MIN : 0);
}

lw_hashed_walk_query lw_address_spaces_told(lw_address_spaces *s, uint32_t process) {
    lw_hashed_walk_query q = lw_hashed_query(s->hashed, process);
    q.end_line = lw_address_spaces_end_line(s);
    switch (lw_address_spaces_lacks(s, process)) {
    case LW_LACKS_VICTIM_BUFFER:
        q.has_victim_buffer = false;
        break;
    case LW_LACKS_STEP_TABLE:
        q.step_frame = last_frames(s, q.step_log - LW_STEP_LOG_MIN);
        break;
    case LW_LACKS_TABLE:
        q.table_frame = last_frames(s, slots_order(&q));
        break;
    default:
        break;
    }
    return q;
}

uint64_t lw_address_spaces_end_line(const lw_address_spaces *s) {
    return s->lack ? end_frame(s) << LINE_FRAME_SHIFT : 0;
}
