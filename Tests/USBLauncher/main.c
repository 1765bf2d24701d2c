// Runs a command on a USB bus that exists only for it, with readers whose chips are virtual
//
//   USBLauncher --reader MODEL[@PORT][#SERIAL][,…] --chip PTY[,…] [--fault [N:]NAME[=VALUE]]… [--control SOCKET]
//               [--log FILE] [--user NAME] [--timeout SECONDS] -- COMMAND [ARGUMENT…]
//
// MODEL is acr122u, pn533 or scl3711; PTY is the serial port of a VirtualReader. Faults are in Faults.h, commands of
// the control socket in Control.h. The exit code is the command's: 128 + n after signal n, 124 after the time limit.

#define _GNU_SOURCE // setresuid(2)
#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <termios.h>
#include <unistd.h>

#include "Bus.h"
#include "Child.h"
#include "Control.h"
#include "Options.h"

#define EXIT_USAGE 64
#define EXIT_FAULTY 70

/// Marks a preloaded process, and lists its descriptors: those of the chips, then the control socket's or −1.
#define STAGE "USB_LAUNCHER_DESCRIPTORS"
/// The library with which umockdev redirects the paths of devices.
#define PRELOAD "libumockdev-preload.so.0"
/// The library next to the launcher that works around a limit of umockdev: Tests/USBLauncherPreload.
#define OWN_PRELOAD "libUSBLauncherPreload.so"

struct descriptors {
    int chips[MAXIMUM_READERS];
    int control;
};

static int fail(int code, const char *problem, const char *detail)
{
    fprintf(stderr, detail ? "USBLauncher: %s: %s\n" : "USBLauncher: %s\n", problem, detail);
    return code;
}

/// Opens a chip's serial port as a host does. Returns −1 if that fails.
static int open_chip(const char *path)
{
    int chip = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
    struct termios settings;
    if (chip < 0 || tcgetattr(chip, &settings) != 0) return -1;
    cfmakeraw(&settings);
    tcsetattr(chip, TCSANOW, &settings);
    tcflush(chip, TCIOFLUSH);
    return chip;
}

/// Permanently becomes another user. Files that this user may not open must be open already.
static gboolean become(const char *name)
{
    const struct passwd *user = getpwnam(name);
    return user && setgroups(0, NULL) == 0 && setresgid(user->pw_gid, user->pw_gid, user->pw_gid) == 0
        && setresuid(user->pw_uid, user->pw_uid, user->pw_uid) == 0;
}

/// Returns the libraries to preload into every process on the bus. The caller frees the string.
static char *preload(void)
{
    GString *names = g_string_new(NULL);
    char *launcher = g_file_read_link("/proc/self/exe", NULL);
    char *folder = g_path_get_dirname(launcher ? launcher : ".");
    char *own = g_build_filename(folder, OWN_PRELOAD, NULL);
    if (access(own, R_OK) == 0) g_string_append_printf(names, "%s:", own);
    g_string_append(names, PRELOAD);
    const char *others = g_getenv("LD_PRELOAD");
    if (others) g_string_append_printf(names, ":%s", others);
    g_free(own);
    g_free(folder);
    g_free(launcher);
    return g_string_free(names, FALSE);
}

/// Opens all files outside the bus, and runs the launcher again with umockdev preloaded, so that uevents are sent.
static int prepare(const struct options *options, char **arguments)
{
    GString *descriptors = g_string_new(NULL);
    for (int index = 0; index < options->chip_count; index++) {
        int chip = open_chip(options->chips[index]);
        if (chip < 0) return fail(EXIT_FAULTY, options->chips[index], strerror(errno));
        g_string_append_printf(descriptors, "%d ", chip);
    }
    int control = -1;
    if (options->control) {
        control = control_listen(options->control);
        if (control < 0) return fail(EXIT_FAULTY, options->control, strerror(errno));
    }
    g_string_append_printf(descriptors, "%d", control);
    if (options->user && !become(options->user)) return fail(EXIT_FAULTY, options->user, "cannot become this user");
    char *names = preload();
    g_setenv("LD_PRELOAD", names, TRUE);
    g_free(names);
    g_setenv(STAGE, descriptors->str, TRUE);
    execv("/proc/self/exe", arguments);
    return fail(EXIT_FAULTY, "cannot run itself again", strerror(errno));
}

static struct descriptors take_descriptors(int count)
{
    struct descriptors descriptors;
    char *text = g_strdup(g_getenv(STAGE));
    g_unsetenv(STAGE);
    char *rest = text;
    for (int index = 0; index < count; index++) descriptors.chips[index] = (int)strtol(rest, &rest, 10);
    descriptors.control = (int)strtol(rest, &rest, 10);
    for (int index = 0; index < count; index++) fcntl(descriptors.chips[index], F_SETFD, FD_CLOEXEC);
    if (descriptors.control >= 0) fcntl(descriptors.control, F_SETFD, FD_CLOEXEC);
    g_free(text);
    return descriptors;
}

static gboolean on_chip(gint descriptor, GIOCondition condition, gpointer data)
{
    (void)descriptor, (void)condition;
    struct reader *reader = data;
    g_mutex_lock(&reader->bus->lock);
    gboolean is_there = reader_hear_chip(reader);
    g_mutex_unlock(&reader->bus->lock);
    return is_there;
}

/// Sets the faults of the command line. Returns the error in them, or NULL.
static char *set_faults(struct bus *bus, const struct options *options)
{
    for (int index = 0; index < options->fault_count; index++) {
        char *line = g_strdup_printf("fault %s", options->faults[index]);
        char *answer = control_execute(bus, line);
        g_free(line);
        if (strcmp(answer, "ok")) return answer;
        g_free(answer);
    }
    return NULL;
}

static int run(const struct options *options)
{
    struct descriptors descriptors = take_descriptors(options->chip_count);
    child_block_signals();
    struct bus bus = {0};
    struct reader readers[MAXIMUM_READERS] = {0};
    for (int index = 0; index < options->reader_count; index++) {
        reader_init(&readers[index], &bus, index, descriptors.chips[index]);
        readers[index].model = options->readers[index].model;
        readers[index].port = options->readers[index].port;
        readers[index].serial = options->readers[index].serial;
    }
    GMainLoop *loop = g_main_loop_new(NULL, FALSE);
    bus_start(&bus, readers, options->reader_count);
    int code = EXIT_FAULTY;
    char *problem = set_faults(&bus, options);
    if (problem) {
        fail(EXIT_USAGE, problem, NULL);
        code = EXIT_USAGE;
    } else {
        for (int index = 0; index < bus.count; index++) {
            g_unix_fd_add(readers[index].chip, G_IO_IN | G_IO_HUP | G_IO_ERR, on_chip, &readers[index]);
        }
        if (descriptors.control >= 0) control_serve(&bus, descriptors.control);
        struct child *child = child_start(options->command, options->timeout, loop);
        if (child) {
            g_main_loop_run(loop);
            code = child_finish(child);
            bus_settle(&bus);
        }
    }
    if (options->log) {
        char *log = control_log(&bus);
        g_file_set_contents(options->log, log, -1, NULL);
        g_free(log);
    }
    if (options->control) unlink(options->control);
    bus_stop(&bus);
    // umockdev's worker thread may not have ended yet.
    fflush(NULL);
    _exit(code);
}

int main(int count, char **arguments)
{
    (void)count;
    struct options options = {0};
    const char *problem = options_parse(&options, arguments);
    if (problem) return fail(EXIT_USAGE, problem, NULL);
    return g_getenv(STAGE) ? run(&options) : prepare(&options, arguments);
}
