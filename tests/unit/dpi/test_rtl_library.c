/* The RTL builds (dpi/rtl_library.h): where each lies, what make is asked for, and what is said of
 * one that fails. The project here is a Makefile that writes down what it is asked, and makes a
 * library of another kind. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/rtl_library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static const char makefile[] =
    "rtl:\n"
    "\t@echo '$(R) [$(OPTIONS)] $(FLAVOR),$(PROBES),$(RUNS),$(NETLIST),$(OWN)' >>asked\n"
    "\t@flock -n '$(R)/lock' true && echo 'another run may build it' >>asked; true\n"
    "\t@cat said; exit $$(cat status)\n"
    "\t@ln -sf $$(cat other) $(R)/librtl.so\n";

typedef struct fixture {
    char root[64];
    lw_system system;
    char key[LW_TEXT_MAX], options[1024];
    lw_rtl_library_handle library;
    lw_error err;
    char printed[4096]; /* on stderr */
} fixture;

static const char *path_of(const fixture *f, const char *name) {
    static char path[2048];
    (void)snprintf(path, sizeof path, "%s/%s", f->root, name);
    return path;
}

static void write_file(const fixture *f, const char *name, const char *text) {
    FILE *file = fopen(path_of(f, name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

static void read_file(const fixture *f, const char *name, char *text, size_t size) {
    FILE *file = fopen(path_of(f, name), "r");
    memset(text, 0, size);
    if (file != NULL) {
        (void)fread(text, 1, size - 1, file);
        (void)fclose(file);
    }
}

static void open_fixture(fixture *f) {
    memset(f, 0, sizeof *f);
    (void)snprintf(f->root, sizeof f->root, "/tmp/rtl_library_XXXXXX");
    assert_non_null(mkdtemp(f->root));
    assert_int_equal(mkdir(path_of(f, ".venv"), 0777), 0);
    assert_int_equal(mkdir(path_of(f, "mine"), 0777), 0);
    write_file(f, ".venv/requirements.txt", "");
    write_file(f, "Makefile", makefile);
    write_file(f, "said", "");
    write_file(f, "status", "0");
    Dl_info other; /* a library that is there anyway */
    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests"), &other), 0);
    write_file(f, "other", other.dli_fname);
    write_file(f, "mine/files.f", "");
    write_file(f, "mine/other.f", "");
    write_file(f, "mine/netlist.v", "");
    environment_load(&f->system, "stress_small", NULL, NULL);
    lw_system_build_key(&f->system, f->key);
    lw_system_build_options(&f->system, f->options, sizeof f->options);
    assert_int_equal(unsetenv("LOCKWALK_RUNS") | unsetenv("LOCKWALK_VERILATOR"), 0);
}

static int take_away(const char *path, const struct stat *s, int flag, struct FTW *at) {
    (void)s;
    (void)flag;
    (void)at;
    return remove(path);
}

static void close_fixture(fixture *f) {
    assert_int_equal(nftw(f->root, take_away, 16, FTW_DEPTH | FTW_PHYS), 0);
}

typedef enum kind { PLAIN, NETLIST, OWN } kind;

/* Opens one, which is no library of this project and so fails; keeps what is printed meanwhile. */
static void open_library(fixture *f, kind kind, const char *given, bool probes) {
    char path[2048];
    (void)snprintf(path, sizeof path, "%s", path_of(f, given));
    const int was = dup(STDERR_FILENO);
    const int file = open(path_of(f, "printed"), O_CREAT | O_WRONLY | O_TRUNC, 0666);
    assert_true(was >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    const bool good =
        kind == PLAIN ? lw_rtl_library_open(&f->library, f->root, &f->system, probes, &f->err)
        : kind == NETLIST
            ? lw_rtl_library_open_netlist(&f->library, f->root, &f->system, path, &f->err)
            : lw_rtl_library_open_own(&f->library, f->root, &f->system, path, probes, &f->err);
    (void)dup2(was, STDERR_FILENO);
    assert_int_equal(close(was) | close(file), 0);
    assert_false(good);
    assert_null(f->library.handle);
    assert_null(f->library.functions);
    read_file(f, "printed", f->printed, sizeof f->printed);
}

/* The folder that make was asked for and the library looked for in, and make's variables behind the
 * options. */
static void assert_asked(fixture *f, const char *folder, const char *variables) {
    char asked[4096], wanted[4096];
    read_file(f, "asked", asked, sizeof asked);
    (void)unlink(path_of(f, "asked"));
    (void)snprintf(wanted, sizeof wanted, "%s [%s] %s\n", path_of(f, folder), f->options,
                   variables);
    assert_string_equal(asked, wanted);
    (void)snprintf(wanted, sizeof wanted, "%s/librtl.so: is no library of this project",
                   path_of(f, folder));
    assert_string_equal(f->err.text, wanted);
}

/* Below build/rtl, by the hardware parameters and by what else makes it another one. */
static void test_builds_of_the_rtl(void **state) {
    (void)state;
    fixture f;
    char folder[2 * LW_TEXT_MAX], printed[2048];
    static const struct {
        bool probes;
        const char *runs, *flavor, *folder, *variables;
    } rows[] = {{false, "", "", "", ",0,,,"},
                {true, "", "", "-probes", ",1,,,"},
                {false, "tests", "", "-tests", ",0,tests,,"},
                {true, "short", "", "-probes-short", ",1,short,,"},
                {false, "", "debian", "-debian", "debian,0,,,"},
                {false, "short", "debian", "-short-debian", "debian,0,short,,"}};
    open_fixture(&f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(setenv("LOCKWALK_RUNS", rows[i].runs, 1), 0);
        assert_int_equal(setenv("LOCKWALK_VERILATOR", rows[i].flavor, 1), 0);
        (void)snprintf(folder, sizeof folder, "build/rtl/%s%s", f.key, rows[i].folder);
        open_library(&f, PLAIN, "", rows[i].probes);
        assert_asked(&f, folder, rows[i].variables);
        (void)snprintf(printed, sizeof printed, "lockwalk: building the RTL in %s (once)\n",
                       path_of(&f, folder));
        assert_string_equal(f.printed, printed);
        open_library(&f, PLAIN, "", rows[i].probes);
        assert_asked(&f, folder, rows[i].variables); /* it may be older than its sources */
        assert_string_equal(f.printed, "");
    }
    close_fixture(&f);
}

/* In lockstep/, beside the netlist or the list of a design's sources. */
static void test_builds_of_others(void **state) {
    (void)state;
    fixture f;
    char folder[2 * LW_TEXT_MAX], variables[2048];
    open_fixture(&f);
    (void)snprintf(variables, sizeof variables, ",,,%s,", path_of(&f, "mine"));
    open_library(&f, NETLIST, "./mine/../mine", false);
    assert_asked(&f, "mine/lockstep", variables);
    static const struct {
        const char *given, *list, *runs, *folder;
        bool probes;
    } rows[] = {{"mine", "mine/files.f", "", "", false},
                {"mine/other.f", "mine/other.f", "tests", "-tests", false},
                {"./mine/../mine/", "mine/files.f", "", "-probes", true},
                {"mine", "mine/files.f", "short", "-probes-short", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(setenv("LOCKWALK_RUNS", rows[i].runs, 1), 0);
        (void)snprintf(variables, sizeof variables, ",%d,%s,,%s", rows[i].probes, rows[i].runs,
                       path_of(&f, rows[i].list));
        (void)snprintf(folder, sizeof folder, "mine/lockstep/%s%s", f.key, rows[i].folder);
        open_library(&f, OWN, rows[i].given, rows[i].probes);
        assert_asked(&f, folder, variables);
    }
    close_fixture(&f);
}

/* A path of all characters that one may have. */
static void test_a_path(void **state) {
    (void)state;
    fixture f;
    char folder[2 * LW_TEXT_MAX], variables[2048];
    open_fixture(&f);
    assert_int_equal(mkdir(path_of(&f, "aZ09_.+-@"), 0777), 0);
    write_file(&f, "aZ09_.+-@/my.f", "");
    (void)snprintf(variables, sizeof variables, ",0,,,%s", path_of(&f, "aZ09_.+-@/my.f"));
    (void)snprintf(folder, sizeof folder, "aZ09_.+-@/lockstep/%s", f.key);
    open_library(&f, OWN, "aZ09_.+-@/my.f", false);
    assert_asked(&f, folder, variables);
    close_fixture(&f);
}

static void ring(int number) {
    (void)number;
}

/* A signal that the program handles does not end its wait for make. */
static void test_a_signal_meanwhile(void **state) {
    (void)state;
    fixture f;
    char folder[2 * LW_TEXT_MAX];
    const struct sigaction heard = {.sa_handler = ring};
    struct sigaction before;
    struct itimerval timer = {.it_interval = {.tv_usec = 2000}, .it_value = {.tv_usec = 2000}};
    open_fixture(&f);
    assert_int_equal(sigaction(SIGALRM, &heard, &before), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
    open_library(&f, PLAIN, "", false);
    timer = (struct itimerval){.it_value = {.tv_sec = 0}};
    assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
    (void)snprintf(folder, sizeof folder, "build/rtl/%s", f.key);
    assert_asked(&f, folder, ",0,,,");
    close_fixture(&f);
}

/* What the caller says is there is not looked for, and must be there. */
static void test_what_is_built(void **state) {
    (void)state;
    fixture f;
    char asked[64], folder[2 * LW_TEXT_MAX], wanted[4096];
    open_fixture(&f);
    f.library.is_built = true;
    open_library(&f, PLAIN, "", false);
    read_file(&f, "asked", asked, sizeof asked);
    assert_string_equal(asked, "");
    (void)snprintf(folder, sizeof folder, "build/rtl/%s/librtl.so", f.key);
    (void)snprintf(wanted, sizeof wanted, "%s: cannot be loaded (", path_of(&f, folder));
    assert_memory_equal(f.err.text, wanted, strlen(wanted));
    close_fixture(&f);
}

/* Of a build that fails the first error is shown, and where all of it is. */
static void test_builds_that_fail(void **state) {
    (void)state;
    fixture f;
    char folder[2 * LW_TEXT_MAX], wanted[4096];
    open_fixture(&f);
    (void)snprintf(folder, sizeof folder, "build/rtl/%s/log", f.key);
    write_file(&f, "said", "a line\n%Error: a.sv:1:1: one\n%Error: a.sv:2:1: two\n");
    write_file(&f, "status", "3");
    open_library(&f, PLAIN, "", false);
    (void)snprintf(wanted, sizeof wanted,
                   "the RTL could not be built: %%Error: a.sv:1:1: one (all of it: %s)",
                   path_of(&f, folder));
    assert_string_equal(f.err.text, wanted);
    assert_int_equal(unlink(path_of(&f, ".venv/requirements.txt")), 0);
    open_library(&f, PLAIN, "", false);
    (void)snprintf(wanted, sizeof wanted,
                   "%s: Verilator is missing; `make build` installs it there",
                   path_of(&f, ".venv"));
    assert_string_equal(f.err.text, wanted);
    /* Debian's stands elsewhere; and a make that is ended says nothing. */
    assert_int_equal(setenv("LOCKWALK_VERILATOR", "debian", 1), 0);
    (void)snprintf(folder, sizeof folder, "build/rtl/%s-debian/log", f.key);
    write_file(&f, "Makefile", "rtl: ; @kill -9 $$PPID\n");
    open_library(&f, PLAIN, "", false);
    (void)snprintf(wanted, sizeof wanted, "the RTL could not be built; see %s",
                   path_of(&f, folder));
    assert_string_equal(f.err.text, wanted);
    close_fixture(&f);
}

/* The warnings of a design of one's own are printed, those of this project's RTL are errors. */
static void test_warnings(void **state) {
    (void)state;
    fixture f;
    char text[1024] = "", folder[2 * LW_TEXT_MAX], wanted[4096];
    open_fixture(&f);
    for (int i = 0; i < 11; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text), "%%Warning: %d\n", i);
    }
    write_file(&f, "said", text);
    open_library(&f, PLAIN, "", false);
    assert_null(strstr(f.printed, "Warning"));
    open_library(&f, OWN, "mine", false);
    (void)snprintf(folder, sizeof folder, "mine/lockstep/%s", f.key);
    (void)snprintf(wanted, sizeof wanted, "lockwalk: building the RTL in %s (once)\n%.*s",
                   path_of(&f, folder), (int)(strstr(text, "%Warning: 10") - text), text);
    (void)snprintf(wanted + strlen(wanted), sizeof wanted - strlen(wanted),
                   "lockwalk: Verilator's warnings in this design: 11; all are in %s/log\n",
                   path_of(&f, folder));
    assert_string_equal(f.printed, wanted);
    close_fixture(&f);
}

static void assert_refused(fixture *f, kind kind, const char *given, const char *before,
                           const char *named, const char *behind) {
    char wanted[4096];
    open_library(f, kind, given, false);
    (void)snprintf(wanted, sizeof wanted, "%s%s%s", before, path_of(f, named), behind);
    assert_string_equal(f->err.text, wanted);
}

static void test_refusals(void **state) {
    (void)state;
    fixture f;
    const char *const no_list = "; allowed: a folder with a files.f, or a file that ends with .f "
                                "and lists the sources";
    const char *const plain = "; allowed: a path of letters, digits and _ . / + - @";
    open_fixture(&f);
    assert_int_equal(mkdir(path_of(&f, "empty"), 0777) | mkdir(path_of(&f, "a b"), 0777), 0);
    write_file(&f, "a b/files.f", "");
    write_file(&f, "mine/f", "");
    write_file(&f, "mine/a.fs", "");
    assert_refused(&f, NETLIST, "none", "", "none",
                   ": is no folder that can be read; `make synth` makes one");
    assert_refused(&f, NETLIST, "empty", "", "empty/netlist.v",
                   ": cannot be read; `make synth` makes it");
    static const char odd[] = " \t\n'\"`\\$;&|<>()[]{}*?!~%=:,#";
    for (const char *c = odd; *c != '\0'; c++) {
        const char folder[] = {'a', *c, '\0'};
        char netlist[32];
        (void)snprintf(netlist, sizeof netlist, "%s/netlist.v", folder);
        assert_int_equal(mkdir(path_of(&f, folder), 0777), 0);
        write_file(&f, netlist, "");
        open_library(&f, NETLIST, folder, false);
        assert_memory_equal(f.err.text, "--netlist: /tmp/", 16);
        assert_non_null(strstr(f.err.text, plain));
        assert_string_equal(f.printed, "");
    }
    assert_refused(&f, OWN, "none", "--rtl: ", "none",
                   " cannot be read (No such file or directory)");
    assert_refused(&f, OWN, "empty", "--rtl: ", "empty/files.f",
                   " cannot be read (No such file or directory)");
    assert_refused(&f, OWN, "mine/f", "--rtl: ", "mine/f", no_list);
    assert_refused(&f, OWN, "mine/a.fs", "--rtl: ", "mine/a.fs", no_list);
    assert_refused(&f, OWN, "a b", "--rtl: ", "a b/files.f", plain);
    close_fixture(&f);
}

static void assert_choice(fixture *f, const char *variable, const char *value, const char *said) {
    char wanted[256];
    assert_int_equal(setenv(variable, value, 1), 0);
    open_library(f, PLAIN, "", false);
    (void)snprintf(wanted, sizeof wanted, "%s is \"%s\"; allowed: %s", variable, value, said);
    assert_string_equal(f->err.text, wanted);
    assert_int_equal(unsetenv(variable), 0);
}

static void test_choices(void **state) {
    (void)state;
    fixture f;
    open_fixture(&f);
    assert_choice(&f, "LOCKWALK_VERILATOR", "debian12", "debian, or none");
    assert_choice(&f, "LOCKWALK_RUNS", "long", "short, tests, or none");
    close_fixture(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builds_of_the_rtl),
        cmocka_unit_test(test_builds_of_others),
        cmocka_unit_test(test_a_path),
        cmocka_unit_test(test_a_signal_meanwhile),
        cmocka_unit_test(test_what_is_built),
        cmocka_unit_test(test_builds_that_fail),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
