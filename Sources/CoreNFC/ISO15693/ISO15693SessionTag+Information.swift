// Reading and writing a tag's system information — CoreNFC NFCISO15693Tag; ISO/IEC 15693-3, commands 27–2B
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import TagTypes

extension ISO15693SessionTag {
    func writeAFI(
        requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { requests in
            try requests.change(Self.request(0x27, flags, [afi])) {
                try Self.systemInformation(flags.subtracting(.option), requests).afi == afi
            }
        }
    }

    func lockAFI(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try $0.lock(Self.request(0x28, flags)) }
    }

    func writeDSFID(
        requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { requests in
            try requests.change(Self.request(0x29, flags, [dsfid])) {
                try Self.systemInformation(flags.subtracting(.option), requests).dsfid == dsfid
            }
        }
    }

    func lockDSFID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try $0.lock(Self.request(0x2A, flags)) }
    }

    func lockDFSID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        lockDSFID(requestFlags: flags, completionHandler: completionHandler)
    }

    func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        __getSystemInfoAndUID(with: flags) { completionHandler($1, $2, $3, $4, $5, $6) }
    }

    func __getSystemInfoAndUID(
        with flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        perform {
            try Self.systemInformation(flags, $0)
        } completion: { result in
            switch result {
            case .success(let info):
                completionHandler(
                    Data(info.uid.reversed()), info.dsfid.map(Int.init) ?? -1, info.afi.map(Int.init) ?? -1,
                    info.memory?.blockSize ?? -1, info.memory?.blockCount ?? -1, info.icReference.map(Int.init) ?? -1,
                    nil)
            case .failure(let error): completionHandler(nil, -1, -1, -1, -1, -1, error)
            }
        }
    }

    /// Sends Get System Information, on the reader's queue.
    private static func systemInformation(
        _ flags: NFCISO15693RequestFlag, _ requests: ISO15693Requests
    ) throws -> ISO15693SystemInformation {
        let data = try requests.send(request(0x2B, flags)).data
        // In the extended format, older ST chips with more than 256 blocks use two bytes for the number of blocks.
        let form: ISO15693SystemInformation.Form = flags.contains(.protocolExtension) ? .extended : .standard
        guard let information = ISO15693SystemInformation(data, form: form) else {
            throw unexpectedLength(data, 0x2B)
        }
        return information
    }
}
