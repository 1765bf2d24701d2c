#include <sys/types.h>

/// Passes whole lines that the C code of this process prints to stderr to a function.
///
/// Returns 0, or -1 if there is not enough memory. Call it once, before other threads print.
int divert_stderr(ssize_t (*write_lines)(void *cookie, const char *bytes, size_t count));
