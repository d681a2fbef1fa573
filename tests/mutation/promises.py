"""What the unit promises (docs/architecture/00-guarantees.md): each promise broken once in the twin, and who of those
who do not know the RTL notices, as if both sides were broken alike."""

from typing import NamedTuple


class Break(NamedTuple):
    """A line of the twin by which a promise goes, and who is to notice: a check of the contract tester, or a unit
    test."""

    promise: str  # the first words of it
    file: str  # in c_model/
    before: str
    after: str
    judge: tuple  # ("contract", check) or ("unit", path)


PROMISES = [
    # Order.
    Break("Responses leave in any order", "front/response_queue.c",
          "hit && walk ? !r->last :", "hit && walk ? LW_WALK :", ("unit", "front/test_response_queue")),
    Break("A hit passes while the buffer is full", "front/admission.c",
          "a->miss_used < a->cfg->hw.miss_queue &&", "a->miss_used < (a->cfg->hw.miss_queue + 1) / 2 &&",
          ("unit", "front/test_rates")),
    Break("Walkers are given entries exactly in the order", "walk/walk_engine.c",
          ".oldest = lw_buffer_oldest(b)};", ".oldest = lw_oldest_first(&b->eligible, b->eligible_words, 0)};",
          ("unit", "test_pick")),
    Break("Walkers are given entries exactly in the order", "walk/walk_memory_port.c",
          "(uint32_t)lw_walkers_oldest(w, waiting);", "(uint32_t)__builtin_ctz(waiting);",
          ("unit", "walk/test_served_in_order")),
    Break("Entries that a line answers leave in batches", "buffer/buffer_answers.c",
          "    if (lowest == LW_NONE) {\n        load_batch(b);",
          "    if (lowest >= LW_NONE) {\n        load_batch(b);",
          ("unit", "test_answer_order")),
    # Liveness.
    Break("Each accepted request is answered exactly once", "walk/walk_engine.c",
          "    lw_walkers_answered(&e->walkers, scanner);\n", "", ("contract", "port")),
    Break("Each accepted request is answered exactly once", "front/admission.c",
          "return a->hit_used < a->cfg->hw.hit_queue;", "return a->hit_used <= a->cfg->hw.hit_queue;",
          ("unit", "front/test_rates")),
    Break("An entry waits for at most one access in flight", "buffer/buffer_coalescing.c",
          "if (a.level != 0) { /* who", "if (a.level != 0 && !o->error) { /* who", ("contract", "starved")),
    Break("An entry waits for at most one access in flight", "buffer/buffer_coalescing.c",
          "lw_slots_set(&b->alone, slot);", "lw_slots_clear(&b->alone, slot);", ("unit", "test_waits")),
    Break("While an entry lives", "buffer/iommu_buffer.c",
          "    b->tail = (b->tail + 1) % b->cfg->hw.buffer_entries;",
          "    uint32_t n = b->cfg->hw.buffer_entries;\n    do {\n"
          "        b->tail = (b->tail + 1) % b->cfg->hw.buffer_entries;\n"
          "    } while (--n != 0 && lw_slots_has(&b->valid, b->tail));", ("unit", "test_waits")),
    Break("Nobody waits longer than R0.7 says", "walk/answer_port.c",
          "(!both || a->chosen_entry);", "!both;", ("contract", "starved")),
    Break("A walker whose line never comes", "walk/entry_reader.c",
          "return w->in_state[LW_IDLE] != 0 &&", "return w->in_state[LW_MEM] == 0 && w->in_state[LW_IDLE] != 0 &&",
          ("unit", "test_waits")),
    Break("Bad input has an answer of its own", "base/pte.c",
          "        return LW_MISALIGNED;\n    }\n    return LW_OK;",
          "        return LW_RESERVED;\n    }\n    return LW_OK;",
          ("contract", "answer")),
    Break("Bad input has an answer of its own", "walk/answer_port.c",
          "p->fills = a->answer.valid && r->kind == LW_OK &&", "p->fills = a->answer.valid &&",
          ("contract", "contents")),
    Break("Bad input has an answer of its own", "walk/line_scan.c",
          "return own->node && features->pwc_enable",
          "return (own->node || own->kind == LW_PERMISSION) && features->pwc_enable", ("contract", "contents")),
    # Staleness.
    Break("After `inv_done_o` no response", "buffer/buffer_coalescing.c",
          "if (lw_slots_has(&b->done, slot) || !lw_roots_has(", "if (!lw_roots_has(", ("contract", "contents")),
    Break("After `inv_done_o` no response", "host/invalidation.c",
          "        if (old_epoch) {", "        if (old_epoch && under_way) {", ("contract", "answer")),
    Break("After `inv_done_o` no response", "front/unified_tlb.c",
          "first & ~inside,\n                            last | inside);", "first | (inside & 0),\n last);",
          ("contract", "contents")),
    Break("Before that, an answer may be from before", "walk/answer_port.c",
          "r->kind == LW_OK && !r->stale &&", "r->kind == LW_OK &&", ("contract", "contents")),
    Break("After `inv_done_o` no line is read", "host/invalidation.c",
          "        if (under_way) {", "        if (under_way && old_epoch) {", ("contract", "owner")),
    Break("After `inv_done_o` no line is read", "walk/walk_engine.c",
          "lw_miss_queue_any_stale(&e->misses) || e->contiguity.state == LW_CHECK_DRAIN;",
          "lw_miss_queue_any_stale(&e->misses);", ("unit", "test_mesc_check")),
    Break("A fault is always that of a line", "buffer/buffer_coalescing.c",
          "if (lw_kind_for(pte, e->access) != LW_OK) {",
          "if (lw_kind_for(pte, e->access) != LW_OK && pte->kind != LW_NOT_PRESENT) {", ("contract", "contents")),
    # Isolation.
    Break("A PASID is part of every compare", "front/unified_tlb.c",
          "return LW_TLB_VALID | lw_key(pasid, ", "return LW_TLB_VALID | lw_key(pasid & ~1u, ",
          ("contract", "contents")),
    Break("A PASID is part of every compare", "reach/msc.c",
          "return KEY_VALID | lw_key(pasid, vsn", "return KEY_VALID | lw_key(pasid & ~1u, vsn",
          ("contract", "contents")),
    Break("A PASID is part of every compare", "walk/page_walk_cache_by_level.c",
          "return KEY_VALID | lw_key(lw_key_pasid(key), ", "return KEY_VALID | lw_key(lw_key_pasid(key) & ~1u, ",
          ("contract", "contents")),
    Break("A PASID is part of every compare", "buffer/buffer_coalescing.c",
          "lw_is_near(a, miss->key) &&", "lw_is_near(a, lw_key(lw_key_pasid(a->key), lw_key_vpn(miss->key))) &&",
          ("contract", "starved")),
    Break("A permission is judged for each request", "front/unified_tlb.c",
          "entry == LW_NONE || !lw_grants(lw_tlb_perm(payload), request->access)", "entry == LW_NONE",
          ("contract", "answer")),
    Break("A permission is judged for each request", "buffer/buffer_coalescing.c",
          " && lw_grants(a->perm, miss->access)) {", ") {", ("unit", "buffer/test_insertion")),
    Break("A permission is judged for each request", "walk/page_walk_cache_by_address.c",
          "if (!lw_grants(perm, query->access)) {", "if (perm == 4) {", ("contract", "answer")),
    Break("An invalidation of one PASID delays", "buffer/buffer_coalescing.c",
          "return lw_mark_meets(mark, lw_key_pasid(e->key));", "return mark->valid && e != NULL;",
          ("unit", "test_marks")),
    Break("A PASID can be given to another owner", "buffer/buffer_coalescing.c",
          "!lw_roots_has(roots, lw_key_pasid(e->key))) {", "(roots == NULL && e == NULL)) {", ("contract", "owner")),
    Break("A PASID can be given to another owner", "walk/walk_engine.c",
          "           lw_miss_queue_any_stale(&e->misses) ||", "          ", ("contract", "owner")),
]

# What these say cannot be broken: that something is not promised.
NOTHING = ["There is no other coherence", "Buffer, walkers, queues and the first-fault record are shared"]
