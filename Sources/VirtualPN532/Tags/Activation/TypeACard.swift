// Activation of a type A ISO-DEP card — ISO/IEC 14443-3 type A; ISO/IEC 14443-4, RATS

/// A type A card that consists of the type A states, RATS and the block protocol.
///
/// After the card has answered RATS, it accepts only ISO-DEP blocks. It ignores HLTA and new polls until S(DESELECT) or
/// the loss of the field.
struct TypeACard<Application: CardApplication>: TypeAPICC {
    private var activation = ActivationState()
    private var card: ISODEPCard<Application>

    init(ats: [UInt8], _ application: Application, seed: [UInt8]) {
        card = ISODEPCard(ISODEPLink(ats: ats), application, seed: seed)
    }

    var application: Application {
        get { card.application }
        set { card.application = newValue }
    }

    var bitRates: BitRates { card.link.bitRates }

    mutating func powerOff() {
        activation.powerOff()
        card.powerOff()
    }

    mutating func poll(wakeUp: Bool) -> Bool { card.link.isOpen ? false : activation.poll(wakeUp: wakeUp) }

    mutating func deselect() { if !card.link.isOpen { activation.fallBack() } }

    mutating func select() { activation.select() }

    mutating func halt() { if !card.link.isOpen { activation.halt() } }

    mutating func receive(_ frame: [UInt8]) -> TagReply { receive(frame, isPowerFailing: false) }

    mutating func receiveTorn(_ frame: [UInt8]) {
        _ = receive(frame, isPowerFailing: true)
        powerOff()
    }

    private mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        guard activation.isActive else { return TagReply(.silence) }
        guard card.link.isOpen else { return activate(frame) }
        let reply = card.receive(frame, isPowerFailing: isPowerFailing)
        if !card.link.isOpen { activation.halt() }
        return reply
    }

    private mutating func activate(_ frame: [UInt8]) -> TagReply {
        if let ats = card.link.answerToSelect(frame) {
            return TagReply(.bytes(ats), delay: ISODEPCard<Application>.frameDelay)
        }
        if frame == Radio.haltCommand { activation.halt() } else { activation.fallBack() }
        return TagReply(.silence)
    }
}
