// libnfc's library context, one per process — libnfc 1.8 nfc_init, nfc_list_devices

import Clibnfc
import Synchronization

/// A libnfc context.
///
/// libnfc keeps its drivers and libusb's buses in globals. Therefore, ``starting`` serialises opening and listing in
/// the whole process.
final class LibNFCContext: @unchecked Sendable {  // the pointer never changes; libnfc writes it only while starting
    /// Guards `nfc_open` and `nfc_list_devices`, because they share libusb's globals.
    static let starting = Mutex(())

    let pointer: OpaquePointer

    /// Creates libnfc's context.
    ///
    /// libnfc itself prints to stderr ("Unable to find USB busses"). `LIBNFC_LOG_LEVEL` controls how much it prints.
    /// The program that starts a process for libnfc sets this variable in that process's environment. (`nfc_init`
    /// itself writes the level that it chose back into the environment.)
    ///
    /// - Returns: nil if libnfc cannot allocate a context.
    private init?() {
        var context: OpaquePointer?
        nfc_init(&context)
        guard let context else { return nil }
        pointer = context
    }

    /// The only context of this process.
    ///
    /// It is never released: `nfc_exit` frees the list of drivers, which `nfc_open` uses in every other context.
    static let shared = LibNFCContext()

    /// Returns the connection strings of at most 16 readers that libnfc finds.
    ///
    /// The readers in libnfc's configuration come first. The call blocks while libnfc searches the USB bus. Serial
    /// ports are probed only if libnfc's configuration allows it.
    func connections() -> [String] {
        withUnsafeTemporaryAllocation(of: nfc_connstring.self, capacity: 16) { strings in
            let found = nfc_list_devices(pointer, strings.baseAddress, strings.count)
            return strings.prefix(min(found, strings.count)).map { string in
                withUnsafeBytes(of: string) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            }
        }
    }
}

/// Information from libnfc: the visible readers and its version.
public enum LibNFC {
    /// Returns the connection strings of the readers that libnfc finds now.
    ///
    /// Readers in its configuration and environment come first. The call blocks while libnfc searches each bus, which
    /// takes a few milliseconds to several seconds. Serial ports are probed only if libnfc's configuration contains
    /// `allow_intrusive_scan`.
    public static func connections() -> [String] {
        LibNFCContext.starting.withLock { _ in
            LibNFCContext.shared?.connections() ?? []
        }
    }

    /// The version of libnfc, for example `1.8.0`.
    public static var version: String { String(cString: nfc_version()) }
}
