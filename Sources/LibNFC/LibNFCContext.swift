// libnfc's library context: one for the process — libnfc 1.8 nfc_init, nfc_list_devices

import Clibnfc
import Synchronization

/// A libnfc context.
///
/// libnfc keeps its drivers and libusb's buses in globals, so opening and listing are serialised for
/// the whole process by ``starting``.
final class LibNFCContext: @unchecked Sendable {  // the pointer never changes; libnfc writes it only while starting
    /// Guards `nfc_open` and `nfc_list_devices`: they share libusb's globals.
    static let starting = Mutex(())

    let pointer: OpaquePointer

    /// Opens libnfc.
    ///
    /// libnfc prints to stderr by itself ("Unable to find USB busses"), as much as `LIBNFC_LOG_LEVEL` says. That belongs to
    /// the program's environment: whoever starts a process for libnfc sets it there. (`nfc_init` itself writes the level it
    /// chose back into the environment.)
    ///
    /// - Returns: nil when libnfc cannot allocate a context.
    private init?() {
        var context: OpaquePointer?
        nfc_init(&context)
        guard let context else { return nil }
        pointer = context
    }

    /// The one context of this process.
    ///
    /// It is never given back: `nfc_exit` frees the list of drivers that every other context's `nfc_open` walks along.
    static let shared = LibNFCContext()

    /// The connection strings of the readers libnfc finds, at most 16, those from its configuration first.
    ///
    /// Blocks while libnfc looks at the USB bus; serial ports are probed only if libnfc's configuration allows it.
    func connections() -> [String] {
        withUnsafeTemporaryAllocation(of: nfc_connstring.self, capacity: 16) { strings in
            let found = nfc_list_devices(pointer, strings.baseAddress, strings.count)
            return strings.prefix(min(found, strings.count)).map { string in
                withUnsafeBytes(of: string) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        }
    }
}

/// The readers libnfc can see.
public enum LibNFC {
    /// Connection strings of the readers libnfc finds now, those of its configuration and environment first.
    ///
    /// Blocks for a few milliseconds up to seconds, as libnfc looks at each bus. Serial ports are probed only if libnfc's
    /// configuration has `allow_intrusive_scan`.
    public static func connections() -> [String] {
        LibNFCContext.starting.withLock { _ in
            LibNFCContext.shared?.connections() ?? []
        }
    }

    /// libnfc's version, for example `1.8.0`.
    public static var version: String { String(cString: nfc_version()) }
}
