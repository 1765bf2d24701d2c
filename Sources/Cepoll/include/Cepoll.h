// Reports the changes of a descriptor, not its state — epoll(7), EPOLLET
#ifndef CEPOLL_H
#define CEPOLL_H

static const int EDGE_BYTES_ARRIVED = 1;
static const int EDGE_HUNG_UP = 2;

/// Returns a descriptor that is readable after each change of `descriptor`, or −1 with `errno`.
int edges_of(int descriptor);

/// Returns the state of the descriptor after a change: a sum of the constants above, or 0 if nothing changed.
int next_edge(int edges);

#endif
