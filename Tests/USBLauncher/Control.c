// The launcher's remote control: lines on a Unix socket

#define _GNU_SOURCE // accept4(2)
#include "Control.h"

#include <errno.h>
#include <glib-unix.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define LONGEST_LINE 1024

/// A client, and the part of a line that it has sent.
struct client {
    struct bus *bus;
    GString *line;
};

char *control_log(struct bus *bus)
{
    GString *text = g_string_new("[");
    g_mutex_lock(&bus->lock);
    for (int index = 0; index < bus->count; index++) {
        const struct reader *reader = &bus->readers[index];
        const struct tally *tally = &reader->tally;
        g_string_append_printf(text, "%s{\"reader\":\"%s\",\"port\":\"%s\",", index ? "," : "", reader->model->name,
                               reader->port);
        g_string_append_printf(text, "\"plugged\":%s,\"device\":%d,", reader->is_plugged ? "true" : "false",
                               reader->device_number);
        g_string_append_printf(text, "\"opens\":%d,\"closes\":%d,\"claims\":%d,\"releases\":%d,\"resets\":%d,",
                               tally->opens, tally->closes, tally->claims, tally->releases, tally->resets);
        g_string_append_printf(text, "\"commands\":%d,\"driver\":%s,\"led\":%d,\"shown\":[", tally->commands,
                               reader->has_driver ? "true" : "false", reader->led);
        for (guint item = 0; item < reader->shown->len; item++) {
            g_string_append_printf(text, "%s\"%s\"", item ? "," : "", (char *)reader->shown->pdata[item]);
        }
        g_string_append(text, "]}");
    }
    g_mutex_unlock(&bus->lock);
    g_string_append_c(text, ']');
    return g_string_free(text, FALSE);
}

/// Applies a fault to one reader, or removes all faults if there is none.
static const char *set_fault(struct bus *bus, struct reader *reader, const char *fault)
{
    g_mutex_lock(&bus->lock);
    struct faults faults = reader->faults;
    const char *problem = NULL;
    if (fault) {
        problem = faults_apply(&faults, fault);
    } else {
        memset(&faults, 0, sizeof faults);
    }
    if (!problem) {
        gboolean is_bound = reader->has_driver;
        if (strcmp(faults.driver, reader->faults.driver)) is_bound = faults.driver[0] != 0;
        reader->faults = faults;
        reader->has_driver = is_bound && reader->is_plugged;
        reader->commands_before = reader->tally.commands;
        reader->resets_before = reader->tally.resets;
        reader->random = (guint32)faults.garbage * 2654435761u | 1;
    }
    g_mutex_unlock(&bus->lock);
    if (!problem) bus_show_faults(bus, reader);
    return problem;
}

/// Executes a command for one reader. Returns the error, or NULL.
static const char *apply(struct bus *bus, struct reader *reader, const char *verb, const char *fault)
{
    if (!strcmp(verb, "plug")) return bus_plug(bus, reader) ? NULL : "it is plugged in already";
    if (!strcmp(verb, "unplug")) return bus_unplug(bus, reader) ? NULL : "it is not plugged in";
    if (!strcmp(verb, "clear")) return set_fault(bus, reader, NULL);
    if (!strcmp(verb, "fault")) return fault ? set_fault(bus, reader, fault) : "there is no fault's name";
    return "there is no such command";
}

char *control_execute(struct bus *bus, const char *line)
{
    char **words = g_strsplit(line, " ", 2);
    const char *verb = words[0] ? words[0] : "", *rest = words[0] ? words[1] : NULL;
    char *answer = NULL;
    if (!strcmp(verb, "log")) {
        char *log = control_log(bus);
        answer = g_strdup_printf("ok %s", log);
        g_free(log);
    } else {
        int first = 0, last = bus->count - 1;
        if (rest && g_ascii_isdigit(*rest)) {
            char *end = NULL;
            first = last = (int)strtol(rest, &end, 10);
            rest = *end == ':' ? end + 1 : end;
        }
        const char *problem = first < bus->count ? NULL : "there is no such reader";
        for (int index = first; index <= last && !problem; index++) {
            problem = apply(bus, &bus->readers[index], verb, rest);
        }
        answer = problem ? g_strdup_printf("error %s", problem) : g_strdup("ok");
    }
    g_strfreev(words);
    return answer;
}

static void free_client(gpointer data)
{
    struct client *client = data;
    g_string_free(client->line, TRUE);
    g_free(client);
}

static gboolean on_bytes(gint descriptor, GIOCondition condition, gpointer data)
{
    (void)condition;
    struct client *client = data;
    char bytes[512];
    ssize_t count = read(descriptor, bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return G_SOURCE_CONTINUE;
    gboolean is_open = count > 0 && client->line->len + (gsize)count <= LONGEST_LINE;
    if (is_open) g_string_append_len(client->line, bytes, count);
    char *end;
    while (is_open && (end = strchr(client->line->str, '\n'))) {
        *end = 0;
        char *answer = control_execute(client->bus, client->line->str);
        GString *line = g_string_new(answer);
        g_string_append_c(line, '\n');
        is_open = send(descriptor, line->str, line->len, MSG_NOSIGNAL) == (ssize_t)line->len;
        g_string_erase(client->line, 0, end - client->line->str + 1);
        g_string_free(line, TRUE);
        g_free(answer);
    }
    if (!is_open) close(descriptor);
    return is_open;
}

static gboolean on_client(gint listener, GIOCondition condition, gpointer data)
{
    (void)condition;
    int descriptor = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (descriptor < 0) return G_SOURCE_CONTINUE;
    struct client *client = g_new0(struct client, 1);
    client->bus = data;
    client->line = g_string_new(NULL);
    g_unix_fd_add_full(G_PRIORITY_DEFAULT, descriptor, G_IO_IN | G_IO_HUP, on_bytes, client, free_client);
    return G_SOURCE_CONTINUE;
}

int control_listen(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (g_strlcpy(address.sun_path, path, sizeof address.sun_path) >= sizeof address.sun_path) return -1;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    unlink(path);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 8) == 0) return listener;
    close(listener);
    return -1;
}

void control_serve(struct bus *bus, int listener)
{
    g_unix_fd_add(listener, G_IO_IN, on_client, bus);
}
