// The receiver of the signals that end a program — signal(7), sem_post(3), pthread_sigmask(3)

import Foundation
import Glibc
import Synchronization

/// The only receiver of SIGINT, SIGTERM and SIGHUP in this process.
///
/// It is installed at the beginning of `main` and stays until the end. The handler only posts a semaphore, and a
/// separate thread does the rest. That thread works even if all Dispatch threads are busy, and signals interrupt only
/// its system calls.
package enum SignalSource {
    private static let numbers = [SIGINT, SIGTERM, SIGHUP]
    private static let arrived = Atomic<Int32>(0)
    // Written once, before any signal can arrive.
    private nonisolated(unsafe) static let bell: UnsafeMutablePointer<sem_t> = {
        let bell = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(bell, 0, 0)
        return bell
    }()

    /// Calls a closure for each signal from now on, on a separate thread.
    ///
    /// A write to a pipe that no program reads fails with EPIPE from now on, and does not end the process.
    package static func install(_ take: @escaping @Sendable (_ signal: Int32) -> Void) {
        _ = bell
        arrived.store(0, ordering: .relaxed)
        for number in numbers where !isIgnored(number) {
            handle(number) { number in
                let code = errno
                SignalSource.arrived.store(number, ordering: .relaxed)
                sem_post(SignalSource.bell)
                errno = code
            }
        }
        // A signal that was blocked until now is delivered here, so the handlers come first.
        setMask(SIG_UNBLOCK)
        // A new thread inherits the signal mask. This thread receives signals, and later ones do not.
        Thread.detachNewThread {
            while true {
                guard sem_wait(bell) == 0 else { continue }
                take(arrived.load(ordering: .relaxed))
            }
        }
        // Child programs are started with a mask of their own.
        setMask(SIG_BLOCK)
        // Do not use SIG_IGN, because child programs would inherit it.
        handle(SIGPIPE) { _ in }
    }

    /// Whether a signal stays ignored, like SIGHUP under `nohup`.
    ///
    /// A shell that runs a script makes its background programs ignore SIGINT, too. That signal is handled anyway,
    /// because a SIGINT that is sent to such a program is intended to end it.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard number == SIGHUP, sigaction(number, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func handle(_ number: Int32, by handler: @escaping @convention(c) (Int32) -> Void) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = handler
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    private static func setMask(_ how: Int32) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in numbers { sigaddset(&signals, number) }
        pthread_sigmask(how, &signals, nil)
    }
}
