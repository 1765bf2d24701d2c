// The card in the field: found by events, connected, and looked after — winscard.h, SCardGetStatusChange

public import ReaderInterface

extension PCSCReader {
    /// A card that could not be identified is looked at again after this time.
    private static let secondLook = Duration.milliseconds(500)

    /// What is in the field: waits 0.25 s for an insertion when nothing is.
    ///
    /// A card that was identified is not asked again before pcscd counts an insertion or a removal.
    public func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets {
        endChannel()
        var state = try state()
        if !state.isPresent {
            forgetCard()
            let empty = state
            state = try perform("waiting for a card") { () throws(PCSCStatus) in
                try context.state(of: name, unlike: empty, milliseconds: Self.pollTime)
            }
        }
        guard let target = try target(in: state), technologies.contains(target.technology) else { return [] }
        return [target]
    }

    /// Takes the card for this program and returns a channel to it.
    public func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        endChannel()
        guard try self.target(in: state())?.identifier == target.identifier else { throw .tagLost }
        return try channel(to: target)
    }

    /// Has the reader switch its field off and on for this card.
    public func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        endChannel()
        guard try self.target(in: state())?.identifier == target.identifier else { throw .tagLost }
        try renew(try openCard(), .powerCycle, target)
        return try channel(to: target)
    }

    /// Whether the card is there, by pcscd's count of insertions and removals; costs no radio.
    public func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        guard let current, current === channel, let sighting else { return .absent }
        let state = try state()
        guard state.isPresent else {
            forgetCard()
            return .absent
        }
        guard state.events == sighting.events else {
            guard try target(in: state)?.identifier == channel.target.identifier else { return .absent }
            current.forgetState()
            return .renewed
        }
        if let lastAnswer, lastAnswer.duration(to: .now) < Self.recently { return .continuous }
        // A reader may not notice a removal while a session is open, nor that another tag came at once.
        if current.session.standard != nil {
            current.session.end()
            if (try? transmit(Self.getUID)).map({ Self.isUID($0, of: channel.target) }) != true {
                forgetCard()
                return .absent
            }
        }
        // Whoever only looks whether the card is there leaves it to others.
        card?.endTransaction()
        return .continuous
    }

    // MARK: Steps

    /// An answer of so long ago is no proof that the card is there.
    private static let recently = Duration.milliseconds(250)
    /// GET DATA of the UID — PC/SC part 3.
    private static let getUID: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

    /// Whether an answer to GET DATA is the UID of this target, which readers send in either order.
    private static func isUID(_ answer: ReaderResponse, of target: Target) -> Bool {
        answer.isSuccess
            && (answer.data == target.identifier || answer.data.reversed() == target.identifier
                || answer.data.prefix(4).elementsEqual(target.identifier))
    }

    func forgetCard() {
        drop()
        sighting = nil
    }

    /// The target in the field, asked for once per insertion.
    private func target(in state: SmartCardContext.ReaderState) throws(ReaderError) -> Target? {
        guard state.isPresent else { return nil }
        if let sighting, sighting.events == state.events,
            sighting.target != nil || sighting.time.duration(to: .now) < Self.secondLook
        {
            return sighting.target
        }
        let kept = current
        card?.close()
        card = nil
        sighting = nil
        let target = try identify(state)
        sighting = Sighting(events: state.events, target: target, time: .now)
        current = kept
        return target
    }

    /// Asks a card what it is; nil for one that does not answer, or has contacts.
    private func identify(_ state: SmartCardContext.ReaderState) throws(ReaderError) -> Target? {
        guard !state.isMute else { return nil }
        do throws(ReaderError) {
            let card = try openCard()
            defer { if current == nil { card.endTransaction() } }
            return try TargetIdentification(carrier: self, dialect: dialect).target(atr: state.atr)
        } catch {
            switch error {
            case .noAnswer, .tagLost:
                drop()
                return nil
            default: throw error
            }
        }
    }

    /// Connects to the card in the field, and keeps other programs off it.
    private func openCard() throws(ReaderError) -> CardConnection {
        if let card {
            try takeTransaction(of: card)
            return card
        }
        let card = try perform("connecting") { () throws(PCSCStatus) in
            try CardAttempt(reader: name).connection(limit: Self.patience, isAborted: { isAborted })
        }
        self.card = card
        // libpcsclite waits without end with any command that another program's transaction is in the way of.
        try takeTransaction(of: card)
        if properties == nil {
            let found = ReaderProperties(card)
            properties = found
            dialect = ReaderDialect.of(name: name, vendor: found.vendor, product: found.product)
        }
        return card
    }

    private func channel(to target: Target) throws(ReaderError) -> PCSCChannel {
        _ = try openCard()
        let channel = PCSCChannel(
            target: target, reader: name, dialect: dialect, owner: self, limit: properties?.limit ?? .short,
            logger: logger)
        current = channel
        return channel
    }

    /// Resets the card and makes sure that it is still the same one.
    private func renew(
        _ card: CardConnection, _ renewal: CardConnection.Renewal, _ target: Target
    ) throws(ReaderError) {
        do throws(ReaderError) {
            try perform("resetting a card") { () throws(PCSCStatus) in try card.renew(renewal) }
            let answer = try transmit(Self.getUID)
            guard Self.isUID(answer, of: target) else { throw ReaderError.tagLost }
        } catch {
            guard error == .noAnswer || error == .tagLost else { throw error }
            forgetCard()
            throw .tagLost
        }
    }
}

extension PCSCReader: ChannelOwner {
    func isCurrent(_ channel: PCSCChannel) -> Bool { current === channel && card != nil }

    func reselect(_ target: Target) throws(ReaderError) {
        guard let card else { throw .tagLost }
        try renew(card, .reset, target)
    }

    func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse {
        guard let card else { throw .tagLost }
        try takeTransaction(of: card)
        let bytes: [UInt8]
        do throws(ReaderError) {
            bytes = try perform("a tag command") { () throws(PCSCStatus) in
                do throws(PCSCStatus) { return try card.transmit(command) } catch {
                    // Another program reset the card between two of ours: connected again, it answers, in another state.
                    if error.meaning == .cardReset {
                        current?.forgetState()
                        try card.renew(.none)
                    }
                    throw error
                }
            }
        } catch {
            throw gone(error)
        }
        guard let response = ReaderResponse(bytes) else { throw gone(.noAnswer) }
        lastAnswer = .now
        return response
    }

    /// Makes one error of three: a card that is pulled away is `noAnswer`, or `tagLost` if pcscd knows that it left.
    ///
    /// If the reader was unplugged during the command, the result is the reader's failure.
    private func gone(_ error: ReaderError) -> ReaderError {
        guard error == .noAnswer || error == .tagLost else { return error }
        do throws(ReaderError) {
            let state = try state()
            return error == .noAnswer && state.isPresent && state.events == sighting?.events ?? state.events
                ? .noAnswer : .tagLost
        } catch let failure {
            if case .readerFailed = failure { return failure }
            return error
        }
    }
}
