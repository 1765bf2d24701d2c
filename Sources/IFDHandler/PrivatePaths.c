// Redirects the paths of a private pcscd — open(2), stat(2), dlopen(3)

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "PrivateDirectory.h"

/// The path in the private directory, or the path itself.
static const char *own(const char *path, char *buffer)
{
    static const struct {
        const char *place, *name;
    } moved[] = {{"/run/pcscd", "run"}, {"/pcsc/drivers", "drivers"}};
    const char *directory = private_directory();
    if (!directory || !path || !strncmp(path, directory, strlen(directory))) return path;
    for (unsigned i = 0; i < sizeof moved / sizeof *moved; i++) {
        const char *found = strstr(path, moved[i].place);
        if (!found) continue;
        const char *rest = found + strlen(moved[i].place);
        if (snprintf(buffer, PATH_MAX, "%s/%s%s", directory, moved[i].name, rest) < PATH_MAX) return buffer;
    }
    return path;
}

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
#define OWN(path) own(path, (char[PATH_MAX]){0})

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return NEXT(open)(OWN(path), flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return NEXT(open64)(OWN(path), flags, mode);
}

FILE *fopen(const char *path, const char *mode) { return NEXT(fopen)(OWN(path), mode); }
FILE *fopen64(const char *path, const char *mode) { return NEXT(fopen64)(OWN(path), mode); }
DIR *opendir(const char *path) { return NEXT(opendir)(OWN(path)); }
int stat(const char *path, struct stat *status) { return NEXT(stat)(OWN(path), status); }
int stat64(const char *path, struct stat64 *status) { return NEXT(stat64)(OWN(path), status); }
int mkdir(const char *path, mode_t mode) { return NEXT(mkdir)(OWN(path), mode); }
int chmod(const char *path, mode_t mode) { return NEXT(chmod)(OWN(path), mode); }
int remove(const char *path) { return NEXT(remove)(OWN(path)); }
void *dlopen(const char *path, int mode) { return NEXT(dlopen)(OWN(path), mode); }
