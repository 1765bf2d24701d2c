// Functions of libpq, which is loaded only when `libpq_load` is first called.
//
// libpq brings 20 libraries (Kerberos, LDAP, GnuTLS). Loading them took 60 % of the time of `nfctool --help`, although
// only a journal in a database needs them.
#include "Clibpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

/// Lists functions, each with its result, its name, its parameters, and the arguments to pass on.
#define FUNCTIONS(RETURNING) \
    RETURNING(PQconninfoOption *, PQconninfoParse, (const char *text, char **message), (text, message)) \
    RETURNING(PGconn *, PQconnectdbParams, (const char *const *keys, const char *const *values, int expand), \
              (keys, values, expand)) \
    RETURNING(ConnStatusType, PQstatus, (const PGconn *link), (link)) \
    RETURNING(char *, PQerrorMessage, (const PGconn *link), (link)) \
    RETURNING(int, PQsocket, (const PGconn *link), (link)) \
    RETURNING(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *link, PQnoticeProcessor processor, void *argument), \
              (link, processor, argument)) \
    RETURNING(int, PQsendQuery, (PGconn *link, const char *query), (link, query)) \
    RETURNING(int, PQsendQueryParams, \
              (PGconn *link, const char *query, int count, const Oid *types, const char *const *values, \
               const int *lengths, const int *formats, int format), \
              (link, query, count, types, values, lengths, formats, format)) \
    RETURNING(PGresult *, PQgetResult, (PGconn *link), (link)) \
    RETURNING(int, PQisBusy, (PGconn *link), (link)) \
    RETURNING(int, PQconsumeInput, (PGconn *link), (link)) \
    RETURNING(int, PQputCopyData, (PGconn *link, const char *bytes, int count), (link, bytes, count)) \
    RETURNING(int, PQputCopyEnd, (PGconn *link, const char *message), (link, message)) \
    RETURNING(ExecStatusType, PQresultStatus, (const PGresult *result), (result)) \
    RETURNING(char *, PQresultErrorMessage, (const PGresult *result), (result)) \
    RETURNING(char *, PQresultErrorField, (const PGresult *result, int field), (result, field)) \
    RETURNING(int, PQntuples, (const PGresult *result), (result)) \
    RETURNING(int, PQnfields, (const PGresult *result), (result)) \
    RETURNING(char *, PQgetvalue, (const PGresult *result, int row, int column), (result, row, column)) \
    RETURNING(int, PQgetlength, (const PGresult *result, int row, int column), (result, row, column)) \
    RETURNING(int, PQgetisnull, (const PGresult *result, int row, int column), (result, row, column))

/// Lists functions that return nothing, in the same way.
#define PROCEDURES(RETURNING) \
    RETURNING(void, PQfinish, (PGconn *link), (link)) \
    RETURNING(void, PQclear, (PGresult *result), (result)) \
    RETURNING(void, PQconninfoFree, (PQconninfoOption *options), (options))

#define POINTER(result, name, parameters, arguments) static result (*name##_loaded) parameters;
FUNCTIONS(POINTER)
PROCEDURES(POINTER)

#define CALL(result, name, parameters, arguments) \
    result name parameters { return name##_loaded arguments; }
FUNCTIONS(CALL)

#define CALL_ONLY(result, name, parameters, arguments) \
    result name parameters { name##_loaded arguments; }
PROCEDURES(CALL_ONLY)

static _Bool is_loaded;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { return; }
#define FIND(result, name, parameters, arguments) \
    name##_loaded = (result(*) parameters)dlsym(library, #name); \
    if (name##_loaded == NULL) { return; }
    FUNCTIONS(FIND)
    PROCEDURES(FIND)
    is_loaded = 1;
}

_Bool libpq_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_loaded;
}
