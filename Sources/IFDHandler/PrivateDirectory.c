// The daemon begins and ends with the program that started it — sd_listen_fds(3)

#define _GNU_SOURCE
#include "PrivateDirectory.h"

#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The end of a pipe whose other end the program holds until it ends. Descriptor 3 is the socket for clients.
enum { LIFELINE = 4 };

static char *directory;

const char *private_directory(void) { return directory; }

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status, (void)walk;
    if (type == FTW_DP) rmdir(path);
    else unlink(path);
    return 0;
}

/// Waits until the program closes the pipe or ends, and then removes all files of the daemon and ends it.
static void *watch(void *unused)
{
    char byte;
    while (read(LIFELINE, &byte, 1) > 0) {}
    // Remove the link for clients in the program if it leads to this daemon.
    const char *link = getenv("NFCTOOL_PCSCD_LINK");
    char target[4096];
    ssize_t length = link ? readlink(link, target, sizeof target) : -1;
    if (length > 0 && (size_t)length > strlen(directory) && !strncmp(target, directory, strlen(directory))) unlink(link);
    nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    _exit(0);
    return unused;
}

__attribute__((constructor)) static void begin(void)
{
    const char *variable = getenv("NFCTOOL_PCSCD");
    if (!variable) return;
    // The daemon has no other descriptors of the program.
    close_range(LIFELINE + 1, ~0U, 0);
    char process[16];
    snprintf(process, sizeof process, "%d", (int)getpid());
    // systemd sets this variable to the process that receives the socket.
    setenv("LISTEN_PID", process, 1);
    pthread_t thread;
    char *copy = realpath(variable, NULL);
    if (!copy) return;
    directory = copy;
    if (!pthread_create(&thread, NULL, watch, NULL)) pthread_detach(thread);
}
