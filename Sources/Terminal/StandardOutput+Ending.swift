// Ends the process when the program that reads standard output has ended, even while there is nothing to print —
// poll(2)

import Foundation

extension StandardOutput {
    /// Asks this process to end, as if by a signal, as soon as no program reads its output any more.
    ///
    /// A write would also notice this, but a command that waits may have nothing to write for hours. Only pipes and
    /// sockets have a program at their other end. When a terminal closes, SIGHUP is sent.
    package static func endWhenUnread() {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        // Use a separate thread, because it waits until the process ends.
        Thread.detachNewThread {
            // Request no events: the kernel always reports POLLERR, POLLHUP and POLLNVAL.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&output, 1, -1) < 0 {
                guard errno == EINTR || errno == EAGAIN else { return }
            }
            guard output.revents & Int16(POLLERR | POLLHUP) != 0 else { return }
            // Ctrl-C ends both programs. In that case, the reason is the signal, not the closed pipe.
            Thread.sleep(forTimeInterval: 0.2)
            Interruption.request(SIGPIPE)
        }
    }
}
