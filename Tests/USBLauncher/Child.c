// The command that is run on the bus

#include "Child.h"

#include <errno.h>
#include <glib-unix.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/// Exit codes: as of timeout(1), and as of a shell that cannot run a command.
#define EXIT_TIMEOUT 124
#define EXIT_NOT_RUN 126
#define EXIT_NOT_FOUND 127
#define EXIT_SIGNAL 128

/// How long processes that the command left behind may live, and how long a command may take to end, in milliseconds.
#define GRACE 2000

struct child {
    GMainLoop *loop;
    pid_t process;
    int signals;
    int exit_code;
    gboolean has_ended, is_late;
    /// If set, timers that have not fired yet do nothing.
    gboolean is_finished;
};

static sigset_t awaited(void)
{
    sigset_t set;
    sigemptyset(&set);
    const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGCONT, SIGUSR1, SIGUSR2};
    for (gsize index = 0; index < G_N_ELEMENTS(signals); index++) sigaddset(&set, signals[index]);
    return set;
}

void child_block_signals(void)
{
    sigset_t set = awaited();
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static gboolean give_up(gpointer data)
{
    struct child *child = data;
    g_main_loop_quit(child->loop);
    return G_SOURCE_REMOVE;
}

/// Kills the processes that the command left behind. As orphans, they have become children of the launcher.
static gboolean kill_rest(gpointer data)
{
    struct child *child = data;
    if (child->is_finished) return G_SOURCE_REMOVE;
    fprintf(stderr, "USBLauncher: killed what the command left running\n");
    char *path = g_strdup_printf("/proc/self/task/%d/children", (int)getpid());
    char *text = NULL;
    if (g_file_get_contents(path, &text, NULL, NULL)) {
        char **numbers = g_strsplit(g_strstrip(text), " ", -1);
        for (char **number = numbers; *number; number++) {
            int process = atoi(*number);
            if (process > 1) kill(process, SIGKILL);
        }
        g_strfreev(numbers);
    }
    g_free(text);
    g_free(path);
    g_timeout_add(GRACE, give_up, child);
    return G_SOURCE_REMOVE;
}

/// Collects all ended processes.
static void collect(struct child *child)
{
    int status;
    pid_t process;
    while ((process = waitpid(-1, &status, WNOHANG)) > 0) {
        if (process != child->process) continue;
        child->has_ended = TRUE;
        if (!child->is_late) {
            child->exit_code = WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
        }
        g_timeout_add(GRACE, kill_rest, child);
    }
    if (process < 0 && errno == ECHILD) g_main_loop_quit(child->loop);
}

static gboolean on_signal(gint descriptor, GIOCondition condition, gpointer data)
{
    (void)condition;
    struct child *child = data;
    struct signalfd_siginfo signal;
    if (read(descriptor, &signal, sizeof signal) != sizeof signal) return G_SOURCE_CONTINUE;
    if (signal.ssi_signo == SIGCHLD) {
        collect(child);
    } else if (!child->has_ended && signal.ssi_code != SI_KERNEL) {
        // Signals from the terminal (SI_KERNEL) reach the command without this.
        kill(child->process, (int)signal.ssi_signo);
    }
    return G_SOURCE_CONTINUE;
}

static gboolean kill_child(gpointer data)
{
    struct child *child = data;
    if (!child->has_ended) kill(child->process, SIGKILL);
    return G_SOURCE_REMOVE;
}

static gboolean end_child(gpointer data)
{
    struct child *child = data;
    if (child->has_ended) return G_SOURCE_REMOVE;
    fprintf(stderr, "USBLauncher: the command took too long\n");
    child->is_late = TRUE;
    child->exit_code = EXIT_TIMEOUT;
    kill(child->process, SIGTERM);
    g_timeout_add(GRACE, kill_child, child);
    return G_SOURCE_REMOVE;
}

/// Runs in the new process until the command replaces it, and must not call anything that takes a lock.
static void run(char **command, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(EXIT_NOT_RUN);
    execvp(command[0], command);
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN);
}

struct child *child_start(char **command, int timeout, GMainLoop *loop)
{
    sigset_t set = awaited();
    struct child *child = g_new0(struct child, 1);
    child->loop = loop;
    child->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t parent = getpid();
    child->process = fork();
    if (child->process == 0) run(command, parent);
    if (child->process < 0 || child->signals < 0) {
        g_free(child);
        return NULL;
    }
    g_unix_fd_add(child->signals, G_IO_IN, on_signal, child);
    g_timeout_add_seconds((guint)timeout, end_child, child);
    return child;
}

int child_finish(struct child *child)
{
    child->is_finished = TRUE;
    while (waitpid(-1, NULL, WNOHANG) > 0) {}
    return child->exit_code;
}
