// The launcher's command line

#include "Options.h"

#include <stdlib.h>
#include <string.h>

#define TIMEOUT 60

/// `1-2`, `1-2.3`: a bus, then port numbers.
static gboolean is_port(const char *text)
{
    return g_regex_match_simple("^1-[1-9][0-9]?(\\.[1-9])*$", text, 0, 0);
}

static const char *parse_readers(struct options *options, const char *value)
{
    char **words = g_strsplit(value, ",", -1);
    const char *problem = NULL;
    for (char **word = words; *word && !problem; word++) {
        if (options->reader_count == MAXIMUM_READERS) return "there are more than 8 readers";
        struct reader_option *reader = &options->readers[options->reader_count];
        char *serial = strchr(*word, '#');
        if (serial) *serial++ = 0;
        char *port = strchr(*word, '@');
        if (port) *port++ = 0;
        reader->model = model_named(*word, strlen(*word));
        reader->serial = g_strdup(serial);
        reader->port = port ? g_strdup(port) : g_strdup_printf("1-%d", options->reader_count + 2);
        if (!reader->model) problem = "a reader is not acr122u, pn533 or scl3711";
        if (!is_port(reader->port)) problem = "a port is not such as 1-2 or 1-2.3";
        options->reader_count++;
    }
    g_strfreev(words);
    return problem;
}

static const char *parse_chips(struct options *options, const char *value)
{
    char **words = g_strsplit(value, ",", -1);
    const char *problem = NULL;
    for (char **word = words; *word && !problem; word++) {
        if (options->chip_count == MAXIMUM_READERS) {
            problem = "there are more than 8 chips";
        } else {
            options->chips[options->chip_count++] = g_strdup(*word);
        }
    }
    g_strfreev(words);
    return problem;
}

const char *options_parse(struct options *options, char **arguments)
{
    options->timeout = TIMEOUT;
    const char *problem = NULL;
    char **rest = arguments + 1;
    for (; *rest && strcmp(*rest, "--") && !problem; rest += 2) {
        const char *name = rest[0], *value = rest[1];
        if (!value) return "an option has no value";
        if (!strcmp(name, "--reader")) {
            problem = parse_readers(options, value);
        } else if (!strcmp(name, "--chip")) {
            problem = parse_chips(options, value);
        } else if (!strcmp(name, "--fault")) {
            if (options->fault_count == G_N_ELEMENTS(options->faults)) return "there are too many faults";
            options->faults[options->fault_count++] = rest[1];
        } else if (!strcmp(name, "--control")) {
            options->control = value;
        } else if (!strcmp(name, "--log")) {
            options->log = value;
        } else if (!strcmp(name, "--user")) {
            options->user = value;
        } else if (!strcmp(name, "--timeout")) {
            options->timeout = atoi(value);
            if (options->timeout <= 0) problem = "--timeout is not a number of seconds";
        } else {
            problem = "there is an unknown option";
        }
    }
    if (problem) return problem;
    if (!*rest || !rest[1]) return "there is no command after --";
    options->command = rest + 1;
    if (options->reader_count != options->chip_count) return "there is not one chip for each reader";
    return NULL;
}
