// Every kind of tag on every model of reader: it works, or the reader says why not

import Dispatch
import Logging
import ReaderInterface
import TagTypes
import Testing
import VirtualPCSC
import VirtualPN532

@testable import PCSCReaders

extension DaemonTests {
    @Suite(.serialized) struct TagMatrixTests {
        private static let message: [UInt8] = [0xD1, 0x01, 0x04, 0x54, 0x02, 0x65, 0x6E, 0x41]

        /// What came of writing a message and reading it back.
        private enum Outcome: CustomStringConvertible {
            case works
            case saysWhyNot(String)
            case fails(String)

            var description: String {
                switch self {
                case .works: "works"
                case .saysWhyNot(let reason): reason
                case .fails(let error): "FAILS: \(error)"
                }
            }
        }

        /// Kinds that hold a message, or can be made to.
        private static let kinds: [VirtualTagKind] = [
            .ntag213, .ntag215, .ntag216, .ultralight, .ultralightEV1, .ultralightC, .ntag203, .ntagI2C2K, .type4,
            .type4v3,
            .type4b, .type3, .feliCaLiteSNDEF, .feliCaStandard, .topaz96, .topaz512, .classic1kNDEF, .classic4kNDEF,
            .desfire,
            .ntag424, .st25TN01K, .ntag215ReadOnly, .ntag215Protected,
        ]

        private func outcome(_ kind: VirtualTagKind, _ desk: Desk) -> Outcome {
            desk.virtual.place(kind.make())
            defer {
                desk.virtual.remove()
                // pcscd tells of the removal a moment later.
                while (try? desk.onQueue { try desk.reader.poll(for: Technology.allCases) })?.isEmpty == false {}
            }
            do {
                let channel = try desk.channel()
                return try desk.onQueue {
                    let tag = TagDetection.tag(on: channel)
                    var state = try tag.detect()
                    if state.isBlank {
                        try tag.initialise()
                        state = try tag.detect()
                    }
                    guard state.status == .readWrite else { return .saysWhyNot(state.reason ?? "\(state.status)") }
                    try tag.writeNDEF(Self.message)
                    // A tag that is looked at for the first time, over another channel.
                    let again = TagDetection.tag(on: try desk.reader.powerUp(channel.target))
                    _ = try again.detect()
                    let read = try again.readNDEF()
                    return read == Self.message ? .works : .fails("read back \(read)")
                }
            } catch ReaderError.tagLost {
                return .saysWhyNot("this reader has no radio for it")
            } catch TagError.reader(let error) where error.kind == .wrongReader {
                return .saysWhyNot("\(error)")
            } catch TagError.commandFailed(_, _, sw: nil) {
                // A password that this reader cannot ask for.
                return .saysWhyNot("the tag refuses to be written")
            } catch {
                return .fails("\(error)")
            }
        }

        @Test(arguments: PCSCReaderModel.all)
        func everyTagWorksOrTheReaderSaysWhyNot(model: PCSCReaderModel) throws {
            let desk = try Desk(model)
            defer { desk.close() }
            for kind in Self.kinds {
                let transmits = desk.virtual.transmits
                let outcome = outcome(kind, desk)
                print("\(model.id) \(kind.rawValue): \(outcome) [\(desk.virtual.transmits - transmits) APDUs]")
                if case .fails(let error) = outcome { Issue.record("\(model.id) \(kind.rawValue): \(error)") }
            }
        }
    }
}
