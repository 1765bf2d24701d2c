// The answers of a reader to calls from its driver — USB CCID, PC/SC part 3

import Dispatch
import Glibc
import Synchronization
import VirtualPN532

/// The reader as its driver sees it.
///
/// Everything except faults and counts is confined to the thread of the reader's service.
final class ReaderFirmware: @unchecked Sendable {  // Only one service uses it at a time.
    let model: PCSCReaderModel
    let faults = PCSCFaultCounter()
    let transmits = Mutex(0)
    /// SCARD_ATTR_CHANNEL_ID, which consists of the USB type, the bus number and the device number.
    var channel: UInt32 = 0
    let vicinity: VicinityFrontEnd
    let proximity: ProximityFrontEnd
    /// The loaded keys for MIFARE Classic, by slot.
    var keys: [UInt8: [UInt8]] = [:]
    let store: TagStore
    private let field: Field
    /// An action to perform during a transmit, and the number of this transmit; nil if there is none.
    let onTransmit = Mutex<(number: Int, action: @Sendable () -> Void)?>(nil)
    private let onRelease = Mutex<(@Sendable () -> Void)?>(nil)
    /// The card whose arrival was last reported to the driver; nil if no card is present.
    private var card: (any VirtualTag)?
    private var isPowered = false
    var session: TransparentSession?

    init(model: PCSCReaderModel, field: Field, latency: Latency) {
        (self.model, self.field, store) = (model, field, TagStore())
        vicinity = VicinityFrontEnd(field: field, faults: faults, latency: latency)
        proximity = ProximityFrontEnd(field: field, faults: faults, latency: latency)
    }

    func setOnRelease(_ action: @escaping @Sendable () -> Void) { onRelease.withLock { $0 = action } }
    func release() { onRelease.withLock { $0 }?() }

    // MARK: Presence

    /// Returns the events since the last call, one byte each: `+` for a card that arrived, `-` for a card that left.
    func presenceEvents() -> [UInt8] {
        let now = field.present(at: .now).first { model.canSee($0) }
        guard now !== card else { return [] }
        let events: [UInt8] = (card == nil ? [] : [0x2D]) + (now == nil ? [] : [0x2B])
        card?.fieldOff()
        (card, isPowered, session) = (now, false, nil)
        return events
    }

    /// The time in milliseconds until a tag next arrives or leaves by itself; −1 if none will.
    var millisecondsToNextChange: Int32 {
        // The reader itself looks for cards all the time.
        field.noteWatch(at: .now)
        guard let next = field.nextChange else { return -1 }
        let (seconds, attoseconds) = (next - .now).components
        return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
    }

    var isHung: Bool { faults.isHung }

    /// Counts a transmit, and returns whether the reader hangs from now on.
    func hangsNow() -> Bool {
        let number = transmits.withLock { count in
            count += 1
            return count
        }
        let action = onTransmit.withLock { planned in
            guard let due = planned, due.number <= number else { return (@Sendable () -> Void)?.none }
            planned = nil
            return due.action
        }
        // The action runs on another thread, because it may end the service that runs this code.
        if let action { DispatchQueue.global().async(execute: action) }
        return faults.countTransmit()
    }

    // MARK: Calls

    /// Answers a call to a SAM slot, which is always empty.
    func answerOfEmptySlot(to call: IFDCall) -> IFDReply {
        switch call {
        case .power(.down): IFDReply(.success)
        case .power: IFDReply(.errorPowerAction)
        case .transmit, .presence: IFDReply(.notPresent)
        case .control(let code, _): control(code)
        case .attribute(let tag): attribute(tag)
        }
    }

    func answer(to call: IFDCall) -> IFDReply {
        switch call {
        case .power(let action): power(action)
        case .transmit(let command): transmit(command)
        case .control(let code, _): control(code)
        case .presence: IFDReply(card == nil ? .notPresent : .present)
        case .attribute(let tag): attribute(tag)
        }
    }

    private func power(_ action: IFDCall.PowerAction) -> IFDReply {
        session = nil
        card?.fieldOff()
        isPowered = false
        guard action != .down else { return IFDReply(.success) }
        guard !faults.countPowerUp(), let card, isInReach(card), let atr = activate(card) else {
            return IFDReply(.errorPowerAction)
        }
        isPowered = true
        return IFDReply(.success, atr)
    }

    private func isInReach(_ card: any VirtualTag) -> Bool { field.present(at: .now).contains { $0 === card } }

    private func transmit(_ command: [UInt8]) -> IFDReply {
        if let report = faults.pullsNow {
            if let card { field.lose(card, at: .now, back: faults.faults.tag.back) }
            switch report {
            case .notPresent: return IFDReply(.notPresent)
            case .communicationError: return IFDReply(.communicationError)
            case .empty: return IFDReply(.success)
            }
        }
        guard let card, isPowered else { return IFDReply(.notPresent) }
        guard model.takesExtendedAPDU || command.count <= Self.longestShortAPDU else {
            return IFDReply(.communicationError)
        }
        _ = (vicinity.takeElapsed(), proximity.takeElapsed())
        let response = respond(to: command, card)
        let delay = vicinity.takeElapsed() + proximity.takeElapsed()
        store.saveChanges()
        guard let response else {
            return IFDReply(isInReach(card) ? .communicationError : .notPresent, delay: delay)
        }
        return IFDReply(.success, response, delay: delay)
    }

    /// The length of the longest short APDU in bytes: header, Lc, 255 bytes of data, Le.
    private static let longestShortAPDU = 4 + 1 + 255 + 1

    /// Returns the response to an APDU, or nil if an ISO-DEP card does not answer.
    private func respond(to bytes: [UInt8], _ card: any VirtualTag) -> [UInt8]? {
        guard bytes.first == 0xFF else { return exchange(bytes, card) }
        guard let command = PseudoAPDU(bytes) else { return StatusWord.wrongLength.bytes }
        switch command.ins {
        case 0xCA: return getData(command, card)
        case 0xC2 where model.dialects.contains(.transparentSession): return transparent(command, card)
        case 0xFB where model.dialects.contains(.passThrough): return passThrough(command, card)
        case 0xB0 where model.dialects.contains(.storageBlocks): return readBinary(command, card)
        case 0xD6 where model.dialects.contains(.storageBlocks): return updateBinary(command, card)
        case 0x82 where model.dialects.contains(.storageKeys): return loadKey(command)
        case 0x86 where model.dialects.contains(.storageKeys): return authenticate(command, card)
        case 0x00 where model.dialects.contains(.directTransmit): return directTransmit(command)
        case 0xFC where model.dialects.contains(.identivCommands): return identivCommand(command, card)
        case 0xFD where model.dialects.contains(.identivTraverse): return identivTraverse(command, card)
        default: return StatusWord.functionNotSupported.bytes
        }
    }

    /// Sends an APDU to a processor card.
    ///
    /// Other cards do not support APDUs.
    ///
    /// Returns nil if the card does not answer.
    private func exchange(_ command: [UInt8], _ card: any VirtualTag) -> [UInt8]? {
        let isProcessorCard =
            switch card {
            case let tag as any TypeATag: tag.selRes & 0x20 != 0
            case is any TypeBTag: true
            default: false
            }
        return isProcessorCard
            ? proximity.exchange(command, with: card) : StatusWord.instructionNotSupported.bytes
    }

    /// Executes `FF CA 00 00 Le`, which returns the UID.
    private func getData(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard command.p1 == 0, command.p2 == 0 else { return StatusWord.functionNotSupported.bytes }
        let uid: [UInt8]
        if let tag = card as? VirtualISO15693Tag {
            uid = model.uidOrder == .mostSignificantFirst ? tag.uid : tag.uid.reversed()
        } else {
            uid = card.identifier
        }
        return command.answer(uid)
    }

    // MARK: Attributes and control codes, answered as libccid does

    private func attribute(_ tag: UInt32) -> IFDReply {
        func number(_ value: UInt32) -> IFDReply {
            IFDReply(.success, withUnsafeBytes(of: value.littleEndian) { Array($0) })
        }
        switch tag {
        case 0x7A007: return number(UInt32(model.maximumMessage - Self.messageHeader))
        case 0x20110: return number(channel)
        // SCARD_ATTR_ICC_PRESENCE and SCARD_ATTR_ICC_INTERFACE_STATUS
        case 0x90300: return IFDReply(.success, [card == nil ? 0 : 2])
        case 0x90301: return IFDReply(.success, [isPowered ? 1 : 0])
        case 0x10100: return IFDReply(.success, Array(model.driverName.prefix { $0 != " " }.utf8) + [0])
        default: return IFDReply(.errorTag)
        }
    }

    private static let messageHeader = 10
    private static let controlBase: UInt32 = 0x4200_0000

    private func control(_ code: UInt32) -> IFDReply {
        let properties = Self.controlBase + 0x33_0012
        switch code {
        // CM_IOCTL_GET_FEATURE_REQUEST: the only feature is FEATURE_GET_TLV_PROPERTIES, because escape commands are off
        // by default.
        case Self.controlBase + 3400:
            return IFDReply(.success, [0x12, 0x04] + withUnsafeBytes(of: properties.bigEndian) { Array($0) })
        case properties:
            let size: UInt32 = model.takesExtendedAPDU ? 0x1_0000 : 0x100
            return IFDReply(
                .success,
                [0x0A, 4] + withUnsafeBytes(of: size.littleEndian) { Array($0) }
                    + [0x0B, 2] + withUnsafeBytes(of: model.vendor.littleEndian) { Array($0) }
                    + [0x0C, 2] + withUnsafeBytes(of: model.product.littleEndian) { Array($0) })
        // SCARD_CTL_CODE(1), the escape command: the client gets SCARD_E_NOT_TRANSACTED.
        case Self.controlBase + 1: return IFDReply(.communicationError)
        default: return IFDReply(.notSupported)
        }
    }
}
