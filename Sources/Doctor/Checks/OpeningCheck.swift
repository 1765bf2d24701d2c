// The final check: whether libnfc can open the reader and its chip answers

import ReaderInterface
import USBReaders

extension Diagnosis {
    /// Reports the result of opening the reader.
    func openingCheck(_ subject: Subject) -> Examination {
        switch opening(of: subject) {
        case nil: return .notApplicable(.opens, "not tried", reader: subject.name)
        case .answered(let chip, let time):
            let milliseconds = Int((time / .milliseconds(1)).rounded())
            return .ok(
                .opens, "\(chip ?? "the reader") answers (\(milliseconds) ms)", reader: subject.name,
                facts: ["milliseconds": .number(milliseconds)].merging(chip.map { ["chip": .text($0)] } ?? [:]) { $1 })
        case .failed(let error, let message) where subject.isSmartCardReader:
            return smartCardOpening(subject, error, message)
        // The holder check reports that the reader is in use.
        case .failed(.busy, _) where subject.usb != nil, .held where subject.usb != nil:
            return .notApplicable(.opens, "it is in use", reader: subject.name)
        case .held(let holder):
            return .problem(
                .opens, .busy, "\(holder) is using it", reader: subject.name, .waiting(for: holder),
                facts: ["holder": .text(holder)])
        case .failed(let error, let message):
            let statement =
                switch error {
                case .readerFailed: "it does not answer"
                case .busy: "it is in use"
                case .noReader: "no reader answers there"
                default: "it does not open"
                }
            return .problem(
                .opens, error, statement, reader: subject.name, openingRemedy(subject, error, message),
                facts: ["message": .text(message)])
        }
    }

    private func openingRemedy(_ subject: Subject, _ error: Obstacle, _ message: String) -> Remedy {
        switch (error, subject.place) {
        // The name of the reader or a file is wrong, so nothing is known about the reader itself.
        case (.other, _) where [.usage, .badFile].contains(error.kind): return Remedy(cause: message)
        case (.readerFailed, .usb(let surveyed)):
            let reader = surveyed.reader
            let quirks = reader.model.drive?.quirks ?? []
            let reset = SystemStep.run(
                ["usbreset", "\(reader.model.vendor.hexDigits):\(reader.model.product.hexDigits)"], needsRoot: false)
            if quirks.contains(.opensOncePerPlugIn) {
                return Remedy(
                    cause:
                        "Many \(reader.model.name) open only once after they are plugged in, and then need a reset "
                        + "(usbreset is in usbutils). Some batches never answer libnfc.",
                    steps: [reset], note: Self.replug, isAutomatic: false)
            }
            return Remedy(
                cause: "The reader is connected, but its chip does not answer. This often happens after a program "
                    + "was killed while using it.",
                steps: [reset], note: Self.replug, isAutomatic: false)
        case (.readerFailed, .serial), (.noReader, .serial):
            return Remedy(
                cause:
                    "Nothing on the port answers like a PN532. It may be another device, TX and RX may be swapped, or the switches may not be set to HSU.",
                note: """
                    Check the wires and the switches. If the board uses another speed, add it:  --reader \(subject.withSpeed(9_600))
                    """
            )
        case (.other(ReaderError.readerFailed(_, _, _, .tooFast)), _):
            return Remedy(
                cause: "The reader answers, but its serial line does not work at the speed in its name.",
                note: "Use a lower speed, or the usual one:  --reader \(ReaderConnection.plain(subject.connection))")
        case (.busy, _):
            return Remedy(
                cause: "Another program or a kernel driver has claimed the reader.",
                steps: [.nfctool(["doctor"], needsRoot: true)], isAutomatic: false)
        case (.noReader, _):
            return Remedy(
                cause: "libnfc finds no reader there.",
                note: "Check the cable and the name: `nfctool readers` lists the connected readers.")
        default: return Remedy(cause: "The reader does not answer.", note: Self.replug)
        }
    }
}
