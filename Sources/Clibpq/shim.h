// PostgreSQL's client library: only the PostgreSQLJournal target may import this module.
#include <libpq-fe.h>
