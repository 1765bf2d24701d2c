// A PN532 as a target — libnfc 1.8 nfc_target_init; NXP UM0701-02, TgInitAsTarget, TgGetData, TgSetData

import Clibnfc
import Hexadecimal
import Logging
public import ReaderInterface

extension LibNFCReader: ListeningReader {
    private static let operation = "listening"
    /// The maximum length of data that a PN532 supports in TgGetData and TgSetData, in bytes.
    ///
    /// libnfc does not check the length.
    private static let maxDataLength = 262
    /// The time limit for sending a response.
    ///
    /// The chip accepts a response only after the other reader has acknowledged the last block of the previous one.
    private static let sendingTime = Duration.seconds(1)

    /// Becomes an ISO-DEP target and waits for activation.
    ///
    /// The chip answers everything except APDUs.
    ///
    /// Each call costs about 20 exchanges with the chip.
    public func listen(as target: ListeningTarget, timeout: Duration) throws(ReaderError) -> Bool {
        try requireListening()
        guard var listener = nfc_target(listeningAs: target) else {
            throw .readerFailed(
                operation: Self.operation, reason: "libnfc cannot describe such a target", code: NFC_EINVARG)
        }
        try endJewelFrames()
        (current, foundAlone, hasSelection, isActivated) = (nil, nil, false, false)
        (fieldUse, framing) = (.several, .handled)
        let milliseconds = link.timeout(for: timeout)
        let start = ContinuousClock.now
        // libnfc may write one byte more than the size that it is given.
        var first = [UInt8](repeating: 0, count: 512)
        let result = try exchange(Self.operation, waiting: timeout) { device in
            nfc_target_init(device, &listener, &first, first.count - 1, milliseconds)
        } accept: {
            // If the call timed out earlier than requested, the chip itself does not answer.
            $0 == NFC_ETIMEOUT && ContinuousClock.now - start >= .milliseconds(milliseconds)
        }
        isActivated = result >= 0
        if isActivated { logger.trace("! activated as \(target.nfcID1.spacedHex)") }
        return isActivated
    }

    /// Receives a command with TgGetData, or returns nil if no command arrives in time.
    public func receiveCommand(timeout: Duration) throws(ReaderError) -> [UInt8]? {
        // Without an activation, libnfc would dereference a null pointer.
        guard isActivated else { throw .initiatorLost }
        let milliseconds = link.timeout(for: timeout)
        var command = [UInt8](repeating: 0, count: 512)
        let result = try exchange(Self.operation, waiting: timeout) { device in
            nfc_target_receive_bytes(device, &command, command.count, milliseconds)
        } accept: {
            $0 == NFC_ETIMEOUT || Self.endsActivation($0)
        }
        guard result != NFC_ETIMEOUT else { return nil }
        guard result > 0 else { throw initiatorLost(result) }
        command.removeLast(command.count - min(Int(result), command.count))
        logger.trace("< \(command.spacedHex)")
        return command
    }

    /// Sends a response with TgSetData.
    public func sendResponse(_ response: [UInt8]) throws(ReaderError) {
        guard isActivated else { throw .initiatorLost }
        guard response.count <= Self.maxDataLength else {
            throw .commandTooLong(length: response.count, limit: Self.maxDataLength)
        }
        let milliseconds = link.timeout(for: Self.sendingTime)
        logger.trace("> \(response.spacedHex)")
        let result = try exchange(Self.operation) { device in
            nfc_target_send_bytes(device, response, response.count, milliseconds)
        } accept: {
            $0 == NFC_ETIMEOUT || Self.endsActivation($0)
        }
        guard result >= 0 else { throw initiatorLost(result) }
    }

    /// Whether libnfc can make the reader with this connection string a target, provided that its chip is a PN532.
    public static func canListen(connection: String) -> Bool { ReaderLink(connection: connection).carriesFrames }

    /// Checks that the reader's driver and chip allow it to be a target.
    public func requireListening() throws(ReaderError) {
        switch link {
        case .acr122: throw .cannotListen(connection: connection, reason: "an ACR122 does not allow emulation")
        case .pn53xUSB: throw .cannotListen(connection: connection, reason: "only a PN532 can emulate an ISO-DEP tag")
        case .frames: break
        }
        guard !isPN532 else { return }
        throw .cannotListen(
            connection: connection,
            reason: "only a PN532 can emulate an ISO-DEP tag, and this is \(chip ?? "another chip")")
    }

    /// Whether a result means that the activation has ended: the chip was released, or an exchange failed.
    ///
    /// This includes a broken frame: an answer that arrives just when a wait ends collides with the next command. If
    /// this reader itself is no longer connected, the next call of ``listen(as:timeout:)`` reports it.
    private static func endsActivation(_ result: CInt) -> Bool {
        [NFC_ETGRELEASED, NFC_ERFTRANS, NFC_ECHIP, NFC_EINVARG, NFC_EOVFLOW, NFC_EIO].contains(result)
    }

    private func initiatorLost(_ result: CInt) -> ReaderError {
        isActivated = false
        logger.trace("! deselected (\(result))")
        return .initiatorLost
    }
}

extension nfc_target {
    /// Creates libnfc's description of a target.
    ///
    /// Returns nil if a field has a length that ISO/IEC 14443 or libnfc does not permit.
    fileprivate init?(listeningAs target: ListeningTarget) {
        guard target.isValid else { return nil }
        self.init()
        nm = nfc_modulation(nmt: NMT_ISO14443A, nbr: NBR_UNDEFINED)
        var info = nfc_iso14443a_info()
        info.abtAtqa = (target.sensRes[0], target.sensRes[1])
        info.btSak = target.selRes
        // T0 announces no interface bytes. The chip sends its own interface bytes, and libnfc uses only the bytes after
        // them.
        let ats = [0x00] + target.historicalBytes
        withUnsafeMutableBytes(of: &info.abtUid) { $0.copyBytes(from: target.nfcID1) }
        info.szUidLen = target.nfcID1.count
        withUnsafeMutableBytes(of: &info.abtAts) { $0.copyBytes(from: ats) }
        info.szAtsLen = ats.count
        nti.nai = info
    }
}
