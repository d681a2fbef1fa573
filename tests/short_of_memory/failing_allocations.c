/* Between the program and its heap: the allocation that the environment names as FAIL_AT, counted
 * from 1, finds no memory; with 0 all find some, and how many there were is told at the end. Only
 * what the program's own files ask for counts (ld's --wrap), not what its libraries do. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static unsigned long allocations, fail_at;

static void tell(void) {
    (void)fprintf(stderr, "allocations: %lu\n", allocations);
}

__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("FAIL_AT");
    fail_at = text == NULL ? 0 : strtoul(text, NULL, 10);
    if (fail_at == 0) {
        (void)atexit(tell);
    }
}

static bool fails(void) {
    return ++allocations == fail_at;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    return fails() ? NULL : __real_realloc(block, size);
}
