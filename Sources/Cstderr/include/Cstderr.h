#include <sys/types.h>

/// Sends what this process's C code prints to stderr through a function that takes whole lines.
///
/// Returns 0, or -1 when there is no memory. Call it once, before other threads print.
int divert_stderr(ssize_t (*write_lines)(void *cookie, const char *bytes, size_t count));
