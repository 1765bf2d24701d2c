// Swift's Glibc module has neither fopencookie(3), a GNU extension, nor a safe way to replace stderr.
#define _GNU_SOURCE
#include "Cstderr.h"
#include <stdio.h>

int divert_stderr(ssize_t (*write_lines)(void *cookie, const char *bytes, size_t count)) {
    cookie_io_functions_t functions = {.write = write_lines};
    FILE *stream = fopencookie(NULL, "w", functions);
    if (stream == NULL) { return -1; }
    setvbuf(stream, NULL, _IOLBF, 1 << 16);
    stderr = stream;
    return 0;
}
