// PostgreSQL's client library: only the PostgreSQLJournal target may import this module.
//
// Debian has its header in a separate folder; other systems do not.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/// Loads libpq if it is not loaded yet. Returns false if it is not installed.
///
/// No other function of libpq may be called before this function has returned true.
_Bool libpq_load(void);
