// The chip as a target: activation, and the PICC's side of ISO-DEP — NXP UM0701-02, PN532 as target; ISO/IEC 14443-4

/// The chip's state as a target since TgInitAsTarget.
///
/// Only one thread may use it.
///
/// The chip keeps listening after a release, so an initiator may return before the host sends TgInitAsTarget again.
final class TargetMode {
    /// The states that TgGetTargetStatus reports.
    enum State { case listening, activated, deselected, released }

    private(set) var state = State.listening
    /// The frame that activated the chip: RATS, or the first frame if the chip does not act as a PICC.
    private(set) var initiatorCommand: [UInt8] = []
    /// Whether the host has received the answer to TgInitAsTarget for this activation.
    var isKnownToHost = false
    /// Whether the chip itself answers RATS and handles blocks.
    private(set) var isPICC = false

    private let request: TargetRequest
    private let antenna: Antenna
    private let servesISODEP: Bool
    private var link: ISODEPLink
    /// The number of the frame to answer; nil if there is none.
    private var frameNumber: UInt8?
    /// The data that the host has not fetched: the rest of a C-APDU, or a frame.
    ///
    /// It is nil if there is none.
    private var received: [UInt8]?
    /// Whether a C-APDU arrived and its response has not been sent.
    private var isWorking = false
    /// Whether S(WTX) was sent.
    ///
    /// If so, nothing may be sent before the initiator answers it.
    private var isExtending = false
    private var response: [UInt8] = []
    private var isResponseComplete = false
    /// The time at which S(WTX) must be sent; nil if it is not needed.
    private(set) var deadline: Field.Instant?

    private static let factor: UInt8 = 1
    private static let margin = TargetRequest.frameWaitingTime / 2
    private static let longestResponse = 65_538

    /// Starts to listen as the host requested.
    ///
    /// `servesISODEP` is the flag fISO14443-4_PICC of SetParameters. ISO-DEP also needs its bit in SEL_RES.
    init(_ request: TargetRequest, servesISODEP: Bool, antenna: Antenna) {
        (self.request, self.antenna) = (request, antenna)
        self.servesISODEP = servesISODEP && request.selRes & TypeATarget.isoDEPBit != 0
        link = ISODEPLink(ats: request.ats)
        if !request.isDEPOnly {
            antenna.listen(sensRes: request.sensRes, nfcID1: request.nfcID1, selRes: request.selRes)
        }
    }

    /// Whether the chip already listens as TgInitAsTarget requests.
    ///
    /// If so, and if an initiator has already activated the chip again, the activation is kept.
    func listensOn(_ request: TargetRequest, servesISODEP: Bool) -> Bool {
        let serves = servesISODEP && request.selRes & TypeATarget.isoDEPBit != 0
        guard request == self.request, serves == self.servesISODEP, !isServed else { return false }
        if state != .activated { state = .listening }
        return true
    }

    func end() { antenna.stopListening() }

    func hear(_ event: Antenna.Event, at now: Field.Instant) {
        switch event {
        case .fieldOff: if state == .activated { release(.released) }
        case .frame(let number, let frame):
            if state != .activated {
                activate(frame, number)
            } else if isPICC {
                receiveBlock(frame, number, at: now)
            } else {
                (frameNumber, received) = (number, frame)
            }
        }
    }

    /// Asks the initiator for more time if the host has not answered in time.
    func extendWaitingTime(at now: Field.Instant) {
        guard let deadline, deadline <= now else { return }
        requestExtension()
    }

    private func activate(_ frame: [UInt8], _ number: UInt8) {
        if servesISODEP, let ats = link.answerToSelect(frame) {
            isPICC = true
            antenna.answer(number, with: .bytes(ats))
        } else if request.isPICCOnly {
            return antenna.answer(number, with: .silence)
        } else {
            isPICC = false
            frameNumber = number
        }
        (state, initiatorCommand, isKnownToHost) = (.activated, frame, false)
    }

    private func release(_ state: State) {
        self.state = state
        link.close()
        (frameNumber, received, deadline) = (nil, nil, nil)
        (isWorking, isExtending) = (false, false)
        (response, isResponseComplete) = ([], false)
    }
}

// Blocks from the initiator.
extension TargetMode {
    private func receiveBlock(_ frame: [UInt8], _ number: UInt8, at now: Field.Instant) {
        frameNumber = number
        if isWorking, link.isWaitingTimeExtension(frame) {
            guard isExtending else { return answer(.silence) }
            isExtending = false
            if isResponseComplete { sendResponse() } else { deadline = now + Self.margin }
            return
        }
        // The initiator's waiting time expired, or S(WTX) was lost.
        if isWorking, link.isReady(frame) { return requestExtension() }
        switch link.receive(frame) {
        case .ignored: answer(.silence)
        case .block(let block): answer(.bytes(block))
        case .deselected(let block):
            answer(.bytes(block))
            release(.deselected)
        case .command(let command):
            received = command
            (isWorking, isExtending) = (true, false)
            (response, isResponseComplete) = ([], false)
            deadline = now + Self.margin
        }
    }

    private func requestExtension() {
        deadline = nil
        isExtending = true
        answer(.bytes(link.waitingTimeExtension(Self.factor)))
    }

    private func sendResponse() {
        answer(.bytes(link.respond(response)))
        (isWorking, isExtending, deadline) = (false, false, nil)
        (response, isResponseComplete) = ([], false)
    }

    private func answer(_ answer: TagAnswer) {
        guard let number = frameNumber else { return }
        frameNumber = nil
        antenna.answer(number, with: answer)
    }
}

// The host's side.
extension TargetMode {
    /// Whether the host can communicate with the initiator: the chip is activated and TgInitAsTarget was answered.
    var isServed: Bool { state == .activated && isKnownToHost }
    var isSending: Bool { isResponseComplete || link.isSending }

    /// Returns at most `count` received bytes, and whether there are more.
    ///
    /// Returns nil if nothing was received.
    func takeReceived(atMost count: Int) -> (bytes: [UInt8], hasMore: Bool)? {
        guard let received else { return nil }
        let rest = Array(received.dropFirst(count))
        self.received = rest.isEmpty ? nil : rest
        return (Array(received.prefix(count)), !rest.isEmpty)
    }

    /// Adds the host's R-APDU, or a part of it, to the response.
    func respond(_ data: [UInt8], isComplete: Bool) throws(ChipStatus) {
        guard isWorking, !isResponseComplete else { throw .notAcceptableInContext }
        guard response.count + data.count <= Self.longestResponse else { throw .internalBufferOverflow }
        response += data
        isResponseComplete = isComplete
        if isComplete, !isExtending { sendResponse() }
    }

    func respond(_ frame: TagAnswer) { answer(frame) }

    /// The answer to TgGetTargetStatus: the state and the bit rates.
    var status: [UInt8] {
        let state: UInt8 =
            switch self.state {
            case .listening: 0x00
            case .activated: isPICC ? 0x81 : 0x01
            case .deselected: isPICC ? 0x82 : 0x02
            case .released: isPICC ? 0x80 : 0x00
            }
        // From memory: bits 4 to 6 are the bit rate to the target, and bits 0 to 2 are that to the initiator.
        return [state, link.bitRates.toTag.rawValue << 4 | link.bitRates.toReader.rawValue]
    }
}
