// Activation of a type B ISO-DEP card — ISO/IEC 14443-3 type B; ISO/IEC 14443-4, ATTRIB

/// A type B card that consists of the type B states, ATTRIB and the block protocol.
struct TypeBCard<Application: CardApplication>: Sendable {
    private var activation: TypeBActivation
    private var card: ISODEPCard<Application>
    private let renewsPUPI: Bool

    /// Creates a card from the parts of its ATQB and an application.
    ///
    /// - Parameters:
    ///   - pupi: the PUPI, 4 bytes.
    ///   - renewsPUPI: whether the PUPI changes each time the card gets power.
    ///   - applicationData: the application data in ATQB, 4 bytes. The first byte is the AFI.
    ///   - protocolInfo: the protocol info in ATQB, 3 bytes.
    ///   - application: the application that answers commands after ATTRIB has activated the card.
    init(
        pupi: [UInt8], renewsPUPI: Bool = false, applicationData: [UInt8], protocolInfo: [UInt8],
        _ application: Application
    ) {
        self.renewsPUPI = renewsPUPI
        activation = TypeBActivation(pupi: pupi, applicationData: applicationData, protocolInfo: protocolInfo)
        card = ISODEPCard(ISODEPLink(protocolInfo: protocolInfo), application, seed: pupi)
    }

    var application: Application {
        get { card.application }
        set { card.application = newValue }
    }

    var pupi: [UInt8] { activation.pupi }

    mutating func powerOff() {
        activation.powerOff()
        if renewsPUPI { activation.renewPUPI() }
        card.powerOff()
    }

    func isCommand(_ frame: [UInt8]) -> Bool { card.link.isCommand(frame) }

    mutating func receive(_ frame: [UInt8]) -> TagReply { receive(frame, isPowerFailing: false) }

    mutating func receiveTorn(_ frame: [UInt8]) {
        _ = receive(frame, isPowerFailing: true)
        powerOff()
    }

    private mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        if card.link.isOpen {
            let reply = card.receive(frame, isPowerFailing: isPowerFailing)
            if !card.link.isOpen { activation.halt() }
            return reply
        }
        switch activation.receive(frame) {
        case .silence:
            return TagReply(.silence)
        case .answer(let answer):
            return TagReply(.bytes(answer))
        case .selected(let answer, let fsdi, let cid):
            card.link.open(fsdi: fsdi, cid: cid)
            return TagReply(.bytes(answer))
        }
    }
}
