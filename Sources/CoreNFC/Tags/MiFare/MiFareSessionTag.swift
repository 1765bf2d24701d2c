// A MIFARE tag in the field: native commands and wrapped APDUs — CoreNFC NFCMiFareTag

import Foundation
import ReaderInterface
import ReaderSession
import TagTypes

final class MiFareSessionTag: SessionTag, NFCMiFareTag, NativeSessionTag, @unchecked Sendable {
    private let activation: NFCATarget
    /// The client's password that the tag accepted in this activation, or nil if there is none.
    ///
    /// Only used on the reader's queue.
    private var password: Type2Password?
    /// The client's progress in selecting another sector.
    ///
    /// Only used on the reader's queue.
    private var sectorSelection = SectorSelection.none

    private enum SectorSelection {
        case none
        /// The tag expects the number of the sector.
        case begun
        /// The tag may be in another sector than the first.
        case done
    }

    init(_ activation: NFCATarget, _ tag: DetectedTag, in session: NFCReaderSession) {
        self.activation = activation
        super.init(tag, in: session)
    }

    required init?(coder: NSCoder) { nil }

    var kind: NFCTag { .miFare(self) }

    var mifareFamily: NFCMiFareFamily {
        switch MiFareFamily(activation) {
        case .ultralight: .ultralight
        case .plus: .plus
        case .desfire: .desfire
        case nil: .unknown
        }
    }

    var identifier: Data { Data(activation.nfcID1) }

    var historicalBytes: Data? {
        activation.historicalBytes.isEmpty ? nil : Data(activation.historicalBytes)
    }

    /// Discards the password, because a tag that is activated again requires it again, and is in its first sector.
    override func activated(on channel: any TagChannel) throws { (password, sectorSelection) = (nil, .none) }

    /// Selects the first sector again, where the message lies.
    override func prepareForMessage() throws {
        guard sectorSelection != .none else { return }
        sectorSelection = .none
        try detected.channel?.reselect()
    }

    /// Turns the field off and on, but keeps the password.
    ///
    /// The session itself does this, and selects the same UID again.
    override func powerUp() throws {
        let proven = password
        try super.powerUp()
        password = proven
    }

    /// The client's password if the tag accepted it, otherwise nothing.
    override var unlocking: Unlocking { password.map { Unlocking(.password($0)) } ?? .none }

    func sendMiFareCommand(
        commandPacket command: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let bytes = [UInt8](command)
        let isISODEP = activation.isISODEP
        performOnChannel { channel in
            guard !bytes.isEmpty else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            let commands = MiFareCommands(over: channel)
            if isISODEP { return try commands.sendNative(bytes) }
            if self.sectorSelection == .begun {
                self.sectorSelection = .done
                if bytes.count == 4 { return try commands.sendSectorNumber(bytes) }
            }
            let answer = try commands.sendFrame(bytes)
            if MiFareCommands.awaitsSectorNumber(after: bytes, answer) { self.sectorSelection = .begun }
            if let password = Type2Password(accepted: bytes, answer: answer) {
                self.password = password
                self.core.passwords.learn(PasswordAttempt(uid: self.target.identifier, credential: .password(password)))
            }
            return answer
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(Data(answer), nil)
            case .failure(let error): completionHandler(Data(), error)
            }
        }
    }

    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU, completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        let isISODEP = activation.isISODEP
        let command = Result { () throws(NFCReaderError) in try apdu.command() }
        performOnChannel { channel in
            guard isISODEP else { throw NFCReaderError(.readerErrorUnsupportedFeature) }
            let command = try command.get()
            return try MiFareCommands(over: channel).sendAPDU(command.apdu, isExtended: command.isExtended)
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(Data(answer.data), answer.sw.sw1, answer.sw.sw2, nil)
            case .failure(let error): completionHandler(Data(), 0, 0, error)
            }
        }
    }
}
