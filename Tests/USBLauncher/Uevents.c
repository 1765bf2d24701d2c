// Uevents that no program receives are dropped, as the kernel drops them — unix(7), netlink(7)

#define _GNU_SOURCE
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags)
{
    ssize_t count = syscall(SYS_sendmsg, descriptor, message, flags);
    // Only uevents are sent to a named socket.
    if (count >= 0 || !message->msg_name) return count;
    if (errno != EAGAIN && errno != ECONNREFUSED && errno != ENOENT && errno != EPIPE) return count;
    size_t length = 0;
    for (size_t index = 0; index < message->msg_iovlen; index++) length += message->msg_iov[index].iov_len;
    return (ssize_t)length;
}
