/* Frame numbers of real processes; mmap and MAP_ANONYMOUS are not in C11. */
#define _DEFAULT_SOURCE

#include "common/number.h"
#include "common/room.h"
#include "sim/files/text_source.h"
#include "sim/frames/frame_allocator.h"
#include "sim/frames/frame_engine.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HOST_PAGE 4096u
#define PAGEMAP_PRESENT (UINT64_C(1) << 63)
#define PAGEMAP_FRAME ((UINT64_C(1) << 55) - 1)

static uint64_t highest_frame(uint32_t pa_width) {
    return (UINT64_C(1) << (pa_width - 12)) - 1;
}

/* Appends to the growing array; false without memory. */
static bool append(uint64_t **frames, uint64_t *count, size_t *room, uint64_t frame) {
    void *grown = *frames;
    if (!lw_room(&grown, room, *count + 1, sizeof **frames)) {
        return false;
    }
    *frames = grown;
    (*frames)[(*count)++] = frame;
    return true;
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

static bool ends_line(const char *text) {
    return *text == '\0' || *text == '#';
}

static bool read_frames(lw_text_source *text, uint32_t pa_width, uint64_t **frames, uint64_t *count,
                        lw_error *err) {
    const char *path = lw_text_path(text);
    char *line = NULL;
    size_t capacity = 0;
    int status = 0;
    while ((status = lw_text_line(text, &line, err)) == 1) {
        const char *rest = skip_blanks(line);
        uint64_t frame = 0;
        if (ends_line(rest)) {
            continue;
        }
        if (!lw_number_read(&rest, highest_frame(pa_width), &frame) ||
            !ends_line(skip_blanks(rest))) {
            return lw_fail(err,
                           "%s:%" PRIu64 ": not a frame number, decimal or 0x..., of at most "
                           "0x%" PRIx64,
                           path, lw_text_number(text), highest_frame(pa_width));
        }
        if (*count == LW_FRAMES_MAX) {
            return lw_fail(err, "%s:%" PRIu64 ": more than %" PRIu64 " frames", path,
                           lw_text_number(text), (uint64_t)LW_FRAMES_MAX);
        }
        if (!append(frames, count, &capacity, frame)) {
            return lw_fail(err, "%s: the host has no memory left for its frames", path);
        }
    }
    return status == 0 && (*count > 0 || lw_fail(err, "%s: holds no frame number", path));
}

uint64_t *lw_frames_from_file(const char *path, uint32_t pa_width, uint64_t *count, lw_error *err) {
    lw_text_source *text = lw_text_open(path, err);
    uint64_t *frames = NULL;
    *count = 0;
    if (text != NULL && !read_frames(text, pa_width, &frames, count, err)) {
        free(frames);
        frames = NULL;
    }
    lw_text_close(text);
    return frames;
}

static bool read_pagemap(const unsigned char *region, uint64_t *frames, uint64_t count,
                         lw_error *err) {
    int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return lw_fail(err, "/proc/self/pagemap: cannot be opened: %s", strerror(errno));
    }
    off_t at = (off_t)((uintptr_t)region / HOST_PAGE * sizeof *frames);
    size_t bytes = count * sizeof *frames, done = 0;
    while (done < bytes) {
        ssize_t n = pread(fd, (char *)frames + done, bytes - done, at + (off_t)done);
        if (n <= 0) {
            (void)close(fd);
            return lw_fail(err, "/proc/self/pagemap: cannot be read");
        }
        done += (size_t)n;
    }
    (void)close(fd);
    return true;
}

static bool check_pagemap(uint64_t *frames, uint64_t count, uint32_t pa_width, lw_error *err) {
    for (uint64_t i = 0; i < count; i++) {
        bool present = (frames[i] & PAGEMAP_PRESENT) != 0;
        frames[i] &= PAGEMAP_FRAME;
        if (!present || frames[i] == 0) {
            return lw_fail(err,
                           "pagemap: this kernel hides frame numbers from this process "
                           "(/proc/self/pagemap shows zeros); run it with CAP_SYS_ADMIN, or use "
                           "pagemap:FILE");
        }
        if (frames[i] > highest_frame(pa_width)) {
            return lw_fail(err,
                           "pagemap: frame 0x%" PRIx64 " of this machine does not fit a physical "
                           "address of %" PRIu32 " bits",
                           frames[i], pa_width);
        }
    }
    return true;
}

uint64_t *lw_frames_from_self(uint64_t count, uint32_t pa_width, lw_error *err) {
    if (sysconf(_SC_PAGESIZE) != (long)HOST_PAGE) {
        lw_fail(err, "pagemap: this machine's pages are not 4 KiB; use pagemap:FILE");
        return NULL;
    }
    uint64_t *frames = calloc(count, sizeof *frames);
    unsigned char *region = mmap(NULL, count * HOST_PAGE, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (frames == NULL || region == MAP_FAILED) {
        lw_fail(err, "pagemap: the host has no memory left for %" PRIu64 " pages", count);
        free(frames);
        if (region != MAP_FAILED) {
            (void)munmap(region, count * HOST_PAGE);
        }
        return NULL;
    }
    for (uint64_t i = 0; i < count; i++) {
        ((volatile unsigned char *)region)[i * HOST_PAGE] = 1;
    }
    bool read =
        read_pagemap(region, frames, count, err) && check_pagemap(frames, count, pa_width, err);
    (void)munmap(region, count * HOST_PAGE);
    if (!read) {
        free(frames);
        return NULL;
    }
    return frames;
}
