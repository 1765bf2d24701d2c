// PostgreSQL's client library: only the PostgreSQLJournal target may import this module.
//
// Debian has the header in a folder of its own, other systems do not.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/// Loads libpq, unless it is loaded; false when it is not installed.
///
/// No other function of libpq may be called before this one returned true.
_Bool libpq_load(void);
