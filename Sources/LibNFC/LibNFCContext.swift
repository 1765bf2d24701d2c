// libnfc's library context: one for the process, and quiet — libnfc 1.8 nfc_init, nfc_list_devices

import Clibnfc
@preconcurrency import Glibc
import Logging
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
    /// libnfc prints to stderr by itself ("Unable to find USB busses"). That is silenced through its own environment
    /// variable, unless `logger` is at trace level: then libnfc's debug lines, the frames to the chip, come too.
    ///
    /// - Returns: nil when libnfc cannot allocate a context.
    private init?(logger: Logger) {
        setenv("LIBNFC_LOG_LEVEL", logger.logLevel == .trace ? "3" : "0", 1)
        var context: OpaquePointer?
        nfc_init(&context)
        guard let context else { return nil }
        pointer = context
    }

    /// The one context of this process.
    ///
    /// It is never given back: `nfc_exit` frees the list of drivers that every other context's `nfc_open` walks along.
    static let shared = LibNFCContext(logger: Logger(label: "nfctool.reader"))

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
