// A card with applications in the field — CoreNFC NFCISO7816Tag; ISO/IEC 7816-4

import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import TagTypes

final class ISO7816SessionTag: SessionTag, NFCISO7816Tag, NativeSessionTag, @unchecked Sendable {
    /// The application that is selected each time the card is activated.
    ///
    /// Empty if no application is selected.
    private let initialApplication: [UInt8]
    private let permission: TagPermission

    init(_ tag: DetectedTag, application: [UInt8], permission: TagPermission, in session: NFCReaderSession) {
        (initialApplication, self.permission) = (application, permission)
        super.init(tag, in: session)
    }

    required init?(coder: NSCoder) { nil }

    var kind: NFCTag { .iso7816(self) }

    var initialSelectedAID: String { initialApplication.hex }
    var identifier: Data { Data(target.identifier) }

    var historicalBytes: Data? {
        guard case .nfcA(let target) = target, !target.historicalBytes.isEmpty else { return nil }
        return Data(target.historicalBytes)
    }

    var applicationData: Data? {
        guard case .nfcB(let target) = target else { return nil }
        return Data(target.applicationData)
    }

    var proprietaryApplicationDataCoding: Bool {
        // ISO/IEC 14443-3, Protocol_Type byte 3 of ATQB: bits 4 and 3 are ADC; 00 means proprietary coding.
        guard case .nfcB(let target) = target, let last = target.protocolInfo.last else { return false }
        return last & 0x0C == 0
    }

    /// Selects the initial application again after an activation.
    override func activated(on channel: any TagChannel) throws {
        guard !initialApplication.isEmpty else { return }
        _ = try RawAPDUExchange(over: channel).send(.select(application: initialApplication))
    }

    func sendCommand(
        apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        let command = Result { () throws(NFCReaderError) in try apdu.command() }
        // Some apps send without connecting. Connecting automatically here never drops the connection to another tag.
        performOnChannel(connectsItself: true) { [permission] channel in
            let command = try command.get()
            guard permission.allows(command.apdu) else { throw NFCReaderError(.readerErrorSecurityViolation) }
            return try RawAPDUExchange(over: channel).send(command.apdu, isExtended: command.isExtended)
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(Data(answer.data), answer.sw.sw1, answer.sw.sw2, nil)
            case .failure(let error): completionHandler(Data(), 0, 0, error)
            }
        }
    }
}

extension NFCISO7816APDU.CommandFields {
    var apdu: CommandAPDU {
        CommandAPDU(cla: header[0], ins: header[1], p1: header[2], p2: header[3], data: data, ne: ne)
    }
}

extension CommandAPDU {
    /// Returns a SELECT by DF name for the first occurrence, which requests the file control information.
    static func select(application: [UInt8]) -> CommandAPDU {
        CommandAPDU(ins: 0xA4, p1: 0x04, p2: 0x00, data: application, ne: 256)
    }
}
