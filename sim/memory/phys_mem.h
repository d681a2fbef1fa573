/* Physical memory: what the walker reads and the OS side writes.
 *
 * Sparse: a 4 KiB page is allocated when something other than zero is first written to it; memory
 * never written reads as zero. Addresses are physical byte addresses of `pa_width` bits. Reading
 * costs one hash probe, so a line read stays below 30 ns while the table lies in the cache. */
#ifndef LW_SIM_MEMORY_PHYS_MEM_H
#define LW_SIM_MEMORY_PHYS_MEM_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_PAGE_SHIFT 12 /* 4 KiB pages */
#define LW_LINE_SHIFT 6  /* 64-byte lines */
#define LW_LINE_WORDS 8

typedef struct lw_phys_mem lw_phys_mem;

/* Empty memory of 2^pa_width bytes (pa_width 32..52), or NULL and a sentence. */
lw_phys_mem *lw_phys_mem_new(uint32_t pa_width, lw_error *err);
void lw_phys_mem_free(lw_phys_mem *m);

uint32_t lw_phys_mem_pa_width(const lw_phys_mem *m);

/* The 64-bit word that holds byte address `pa` (its low three bits are ignored); zero where nothing
 * was written and beyond the memory's end. */
uint64_t lw_phys_mem_read64(const lw_phys_mem *m, uint64_t pa);

/* The eight words of line `line` = byte address >> 6; zeros likewise. */
void lw_phys_mem_read_line(const lw_phys_mem *m, uint64_t line, uint64_t data[LW_LINE_WORDS]);

/* Writes a word. Fails on an address that is not a multiple of 8 or lies beyond the end, and where
 * the host has no memory left; nothing is then written. */
bool lw_phys_mem_write64(lw_phys_mem *m, uint64_t pa, uint64_t value, lw_error *err);

/* Zeroes the 4 KiB frame, word by word as lw_phys_mem_write64 does. */
void lw_phys_mem_clear_frame(lw_phys_mem *m, uint64_t frame);

/* `changes(ctx, pa, old_value)` is called before each write that changes a word, so that whoever
 * must know the old image (the oracle: lw_oracle_entry_changes) sees every change, whoever makes
 * it. One watcher; NULL takes it off. */
typedef void lw_phys_mem_changes_fn(void *ctx, uint64_t pa, uint64_t old_value);
void lw_phys_mem_watch(lw_phys_mem *m, lw_phys_mem_changes_fn *changes, void *ctx);

#endif
