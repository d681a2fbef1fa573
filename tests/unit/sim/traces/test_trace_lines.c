/* What becomes of a trace's lines (trace.h): which lanes translate and how, which registers a wave
 * waits for, and the cycles between two accesses. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/trace.h"
#include "sim/workloads/workload.h"

static const char head[] = "-kernel name = k\n"
                           "-grid dim = (1,1,1)\n"
                           "-block dim = (32,1,1)\n"
                           "%s"
                           "-accelsim tracer version = 3\n"
                           "-enable lineinfo = 0\n"
                           "#traces format = PC mask ... [mem_addresses]\n"
                           "#BEGIN_TB\n"
                           "thread block = 0,0,0\n"
                           "warp = 0\n"
                           "insts = %u\n";

/* A workload of one warp with these lines, its header with `more`. */
static lw_workload *open_lines(void **state, const char *more, const char *lines) {
    char path[PATH_SIZE];
    lw_error err = {0};
    uint32_t count = 0;
    FILE *file = fopen(in_folder(state, path, "k.traceg"), "w");
    assert_non_null(file);
    for (const char *end = lines; (end = strchr(end, '\n')) != NULL; end++) {
        count++;
    }
    assert_true(fprintf(file, head, more, count) > 0);
    assert_true(fputs(lines, file) >= 0 && fputs("#END_TB\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    lw_workload *w = lw_workload_open_trace(path, false, &err);
    assert_string_equal(err.text, "");
    lw_launch launch;
    assert_int_equal(lw_workload_next_launch(w, &launch, &err), 1);
    return w;
}

/* The warp's accesses, a letter each: r, w, and upper case where dep is set. */
static void letters_of(lw_workload *w, char *letters) {
    lw_wave_inst inst;
    lw_wave *wave = lw_workload_wave_begin(w, 0, 0);
    while (lw_workload_wave_next(w, wave, &inst) == 1) {
        *letters++ = (inst.access == LW_READ ? "rR" : "wW")[inst.dep ? 1 : 0];
    }
    *letters = '\0';
    lw_workload_wave_end(w, wave);
}

#define AT " 0 0x7f0000000000\n" /* mode 0, of one lane */
#define USES(r) "0010 00000001 0 IADD3 1 R" #r " 0\n"
#define STORES "0020 00000001 0 STG 2 R2 R3 4" AT

/* A load writes as many registers as are as wide as it, from the one that the trace names on; R255
 * is no register. Whoever uses one makes the next access wait, which then waits for all. */
static void test_who_waits(void **state) {
    static const struct {
        const char *lines, *letters;
    } rows[] = {
        {"0000 00000001 1 R4 LDG 1 R2 4" AT USES(4) STORES, "rW"},
        {"0000 00000001 1 R4 LDG 1 R2 4" AT USES(5) STORES, "rw"},
        {"0000 00000001 1 R4 LDG 1 R2 1" AT USES(4) STORES, "rW"},
        {"0000 00000001 1 R4 LDG 1 R2 1" AT USES(5) STORES, "rw"},
        {"0000 00000001 1 R4 LDG 1 R2 8" AT USES(5) STORES, "rW"},
        {"0000 00000001 1 R4 LDG 1 R2 8" AT USES(6) STORES, "rw"},
        {"0000 00000001 1 R4 LDG 1 R2 16" AT USES(7) STORES, "rW"},
        {"0000 00000001 1 R4 LDG 1 R2 16" AT USES(8) STORES, "rw"},
        {"0000 00000001 1 R4 LDG 1 R2 16" AT USES(3) STORES, "rw"},
        {"0000 00000001 1 R63 LDG 1 R2 8" AT USES(64) STORES, "rW"},
        {"0000 00000001 1 R254 LDG 1 R2 4" AT USES(254) STORES, "rW"},
        {"0000 00000001 1 R254 LDG 1 R2 8" AT USES(255) STORES, "rw"},
        {"0000 00000001 1 R255 LDG 1 R2 4" AT USES(255) STORES, "rw"},
        {"0000 00000001 2 R4 R9 LDG 1 R2 4" AT USES(9) STORES, "rW"},
        {"0000 00000001 1 R4 LDG 1 R2 4" AT STORES USES(4) STORES STORES, "rwWw"},
        {"0000 00000001 1 R4 LDG 1 R2 4" AT "0008 00000001 1 R6 LDG 1 R2 4" AT USES(4)
             STORES USES(6) STORES,
         "rrWw"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char letters[16];
        lw_workload *w = open_lines(state, "", rows[i].lines);
        letters_of(w, letters);
        if (strcmp(letters, rows[i].letters) != 0) {
            fail_msg("row %zu: %s, not %s", i, letters, rows[i].letters);
        }
        lw_workload_close(w);
    }
}

/* What translates, as what, and whether the window of local memory hides it. */
static const struct {
    const char *name;
    char letter; /* 0: it does not */
    bool generic;
} opcodes[] = {
    {"LD", 'r', true},      {"ST", 'w', true},    {"LDG", 'r', false},   {"STG", 'w', false},
    {"LDL", 'r', false},    {"STL", 'w', false},  {"LDS", 0, false},     {"STS", 0, false},
    {"LDGSTS", 'r', false}, {"ATOM", 'w', true},  {"ATOMG", 'w', false}, {"ATOMS", 0, false},
    {"RED", 'w', false},    {"REDG", 'w', false}, {"LDC", 0, false},     {"TEX", 0, false},
    {"LDGX", 0, false},     {"ULDC", 0, false},   {"MEMBAR", 0, false},
};

/* Below the window, its first and its last byte, above it. */
#define WINDOW "0x7f7fffffffff 0x7f8000000000 0x7f8000ffffff 0x7f8001000000"
enum { OUTSIDE = 0x9, EVERY = 0xf };

static void test_what_translates(void **state) {
    static const char *const suffixes[] = {"", ".E.64"};
    for (size_t i = 0; i < COUNT(opcodes) * COUNT(suffixes); i++) {
        for (int window = 0; window < 2; window++) {
            const size_t o = i / COUNT(suffixes);
            char line[256];
            char letters[4];
            lw_wave_inst inst;
            (void)snprintf(line, sizeof line, "0000 0000000f 0 %s%s 1 R2 4 0 %s\n", opcodes[o].name,
                           suffixes[i % COUNT(suffixes)], WINDOW);
            lw_workload *w =
                open_lines(state, window != 0 ? "-shmem base_addr = 0x7f8000000000\n" : "", line);
            letters_of(w, letters);
            assert_true(letters[0] == opcodes[o].letter && strlen(letters) <= 1);
            if (opcodes[o].letter != 0) {
                lw_wave *wave = lw_workload_wave_begin(w, 0, 0);
                assert_int_equal(lw_workload_wave_next(w, wave, &inst), 1);
                assert_int_equal(inst.mask, window != 0 && opcodes[o].generic ? OUTSIDE : EVERY);
                lw_workload_wave_end(w, wave);
            }
            lw_workload_close(w);
        }
    }
}

/* Without a window the lowest addresses are no local memory. */
static void test_low_addresses(void **state) {
    char letters[4];
    lw_workload *w = open_lines(state, "", "0000 00000001 0 LD 1 R2 4 0 0x10\n");
    letters_of(w, letters);
    assert_string_equal(letters, "r");
    lw_workload_close(w);
}

/* Each line that does not translate takes the cycles of its issue, as many as can be said. */
static void test_cycles_between(void **state) {
    static const uint32_t lines[] = {0, 1, 5, UINT16_MAX / LW_TRACE_ISSUE_CYCLES,
                                     UINT16_MAX / LW_TRACE_ISSUE_CYCLES + 10};
    static const char use[] = USES(9);
    char *text = calloc(UINT16_MAX, sizeof use);
    assert_non_null(text);
    for (size_t i = 0; i < COUNT(lines); i++) {
        lw_wave_inst inst;
        char *at = text;
        for (uint32_t n = 0; n < lines[i]; n++) {
            memcpy(at, use, sizeof use);
            at += sizeof use - 1;
        }
        memcpy(at, STORES, sizeof STORES);
        lw_workload *w = open_lines(state, "", text);
        lw_wave *wave = lw_workload_wave_begin(w, 0, 0);
        assert_int_equal(lw_workload_wave_next(w, wave, &inst), 1);
        const uint32_t cycles = lines[i] * LW_TRACE_ISSUE_CYCLES;
        assert_int_equal(inst.alu, cycles < UINT16_MAX ? cycles : UINT16_MAX);
        lw_workload_wave_end(w, wave);
        lw_workload_close(w);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_who_waits, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_what_translates, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_low_addresses, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_cycles_between, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
