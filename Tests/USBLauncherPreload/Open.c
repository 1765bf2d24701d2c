// Fails early for nodes that cannot be opened: loaded before umockdev into programs on an emulated USB bus — open(2)
//
// umockdev remembers each opening under /dev, even a failed one, and ends the program at the fiftieth. Therefore calls
// that would fail do not reach it.

#define _GNU_SOURCE
#include "Open.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

typedef int opener(const char *, int, ...);

/// Whether open(2) would fail. The access(2) here is umockdev's, which checks the nodes of the testbed.
static int would_fail(const char *path, int flags)
{
    if (!path || strncmp(path, "/dev/", 5) || flags & O_CREAT) return 0;
    int mode = flags & O_ACCMODE;
    return access(path, mode == O_RDONLY ? R_OK : mode == O_WRONLY ? W_OK : R_OK | W_OK) != 0;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (would_fail(path, flags)) return -1;
    return ((opener *)dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (would_fail(path, flags)) return -1;
    return ((opener *)dlsym(RTLD_NEXT, "open64"))(path, flags, mode);
}
