// epoll(7). Written in C, because Swift's Glibc module does not provide it, and a module map for its header would also
// define `timespec`.
#include "Cepoll.h"

#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

int edges_of(int descriptor) {
    int edges = epoll_create1(EPOLL_CLOEXEC);
    if (edges < 0) { return -1; }
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    if (epoll_ctl(edges, EPOLL_CTL_ADD, descriptor, &event) == 0) { return edges; }
    int reason = errno;
    close(edges);
    errno = reason;
    return -1;
}

int next_edge(int edges) {
    struct epoll_event event;
    if (epoll_wait(edges, &event, 1, 0) != 1) { return 0; }
    return (event.events & EPOLLIN ? EDGE_BYTES_ARRIVED : 0) | (event.events & EPOLLHUP ? EDGE_HUNG_UP : 0);
}
