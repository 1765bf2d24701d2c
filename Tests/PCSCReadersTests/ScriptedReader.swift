// A reader that answers APDUs from a script, and records the APDUs that it received

import Logging
import ReaderInterface

@testable import PCSCReaders

final class ScriptedReader: ChannelOwner {
    private(set) var received: [[UInt8]] = []
    private var answer: ([UInt8]) -> [UInt8]
    private(set) var reselections = 0

    /// - Parameter answer: returns the response to an APDU, with its status word. Fewer than 2 bytes mean silence.
    init(_ answer: @escaping ([UInt8]) -> [UInt8]) { self.answer = answer }

    /// Creates a reader that gives these answers one after the other, and no answer after that.
    convenience init(_ answers: [UInt8]...) {
        var rest = answers[...]
        self.init { _ in rest.popFirst() ?? [] }
    }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse {
        received.append(command)
        guard let response = ReaderResponse(answer(command)) else { throw .noAnswer }
        return response
    }

    func isCurrent(_ channel: PCSCChannel) -> Bool { true }
    func reselect(_ target: Target) throws(ReaderError) { reselections += 1 }

    /// Returns a channel to a target at this reader.
    func channel(_ dialect: ReaderDialect, _ target: Target) -> PCSCChannel {
        PCSCChannel(
            target: target, reader: "Reader", dialect: dialect, owner: self, limit: .short,
            logger: Logger(label: "test"))
    }
}

extension Target {
    static let ntag = Target.nfcA(
        NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [0x04, 1, 2, 3, 4, 5, 6]))
    static let classic = Target.nfcA(NFCATarget(sensRes: [0x00, 0x04], selRes: 0x08, nfcID1: [1, 2, 3, 4]))
    static let type4 = Target.nfcA(
        NFCATarget(sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: [0x04, 1, 2, 3, 4, 5, 6], ats: [0x00, 0x80]))
    static let icode = Target.nfcV(NFCVTarget(uid: [0xE0, 0x04, 1, 2, 3, 4, 5, 6]))
    static let feliCa = Target.nfcF(
        NFCFTarget(nfcID2: [1, 2, 3, 4, 5, 6, 7, 8], pad: [], systemCode: [0x12, 0xFC]))
}
