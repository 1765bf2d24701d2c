// The card in the field: detecting, connecting and checking it — winscard.h, SCardGetStatusChange

public import ReaderInterface

extension PCSCReader {
    /// The time after which a card that could not be identified is examined again.
    ///
    /// Each further time is twice as long, up to the longest one: pcscd logs an error each time that a card does not
    /// answer.
    static let firstPause = Duration.milliseconds(500)
    private static let longestPause = Duration.seconds(2)

    /// Returns the targets in the field.
    ///
    /// If there are none, waits at most 0.25 s for an insertion. An identified card is queried again only after pcscd
    /// has counted an insertion or a removal.
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

    /// Reserves the card for this program, and returns a channel to it.
    public func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        endChannel()
        guard try self.target(in: state())?.identifier == target.identifier else { throw .tagLost }
        return try channel(to: target)
    }

    /// Makes the reader switch its field off and on, and returns a new channel to the card.
    public func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        endChannel()
        guard try self.target(in: state())?.identifier == target.identifier else { throw .tagLost }
        try renew(try openCard(), .powerCycle, target)
        return try channel(to: target)
    }

    /// Checks whether pcscd has counted an insertion or removal since the card was found.
    ///
    /// The radio is used only if a session is open.
    public func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        guard current === channel else { return .absent }
        let state = try state()
        guard let current, let sighting else { return .absent }
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
        // While a session is open, a reader may miss a removal, or a quick exchange of tags.
        if current.session.standard != nil {
            current.session.end()
            if (try? transmit(Self.getUID)).map({ Self.isUID($0, of: channel.target) }) != true {
                forgetCard()
                return .absent
            }
        }
        // A presence check alone must not keep other programs from using the card.
        card?.endTransaction()
        return .continuous
    }

    // MARK: Steps

    /// The time for which an answer counts as proof that the card is present.
    private static let recently = Duration.milliseconds(250)
    /// GET DATA for the UID — PC/SC part 3.
    private static let getUID: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

    /// Whether an answer to GET DATA is the UID of this target.
    ///
    /// Readers return it in either byte order.
    private static func isUID(_ answer: ReaderResponse, of target: Target) -> Bool {
        answer.isSuccess
            && (answer.data == target.identifier || answer.data.reversed() == target.identifier
                || answer.data.prefix(4).elementsEqual(target.identifier))
    }

    func forgetCard() {
        drop()
        sighting = nil
    }

    /// Returns the target in the field, which is queried once per insertion.
    private func target(in state: SmartCardContext.ReaderState) throws(ReaderError) -> Target? {
        guard state.isPresent else { return nil }
        if let sighting, sighting.events == state.events,
            sighting.target != nil || sighting.time.duration(to: .now) < sighting.pause
        {
            return sighting.target
        }
        let pause = sighting.flatMap { $0.events == state.events ? min($0.pause * 2, Self.longestPause) : nil }
        let kept = current
        card?.close()
        card = nil
        sighting = nil
        let target = try identify()
        sighting = Sighting(events: state.events, target: target, time: .now, pause: pause ?? Self.firstPause)
        current = kept
        return target
    }

    /// Identifies the card in the field.
    ///
    /// Returns nil if the card does not answer or is a contact card. pcscd activates a card once when it arrives. If
    /// the card does not answer then (SCARD_STATE_MUTE), only a connection makes pcscd try again. Therefore the answer
    /// to reset is read after connecting.
    private func identify() throws(ReaderError) -> Target? {
        do throws(ReaderError) {
            let card = try openCard()
            defer { if current == nil { card.endTransaction() } }
            let atr = try state().atr
            guard !atr.isEmpty else { throw ReaderError.noAnswer }
            return try TargetIdentification(carrier: self, dialect: dialect).target(atr: atr)
        } catch {
            switch error {
            case .noAnswer, .tagLost:
                drop()
                try powerDown()
                return nil
            case .busy:
                // If no program uses the card, it has not answered for so long that the attempt was given up.
                guard try !state().isTaken else { throw error }
                return nil
            default: throw error
            }
        }
    }

    /// Cuts the power of a card that did not answer, so that pcscd powers it up for the next connection.
    ///
    /// If the power-up for a connection fails, pcscd counts the card as powered and does not try again.
    private func powerDown() throws(ReaderError) {
        let state = try state()
        guard state.isPresent, state.atr.isEmpty, !state.isTaken else { return }
        try? CardConnection(direct: context, reader: name).powerDown()
    }

    /// Connects to the card in the field, and starts a transaction to keep other programs away.
    private func openCard() throws(ReaderError) -> CardConnection {
        if let card {
            do throws(ReaderError) {
                try takeTransaction(of: card)
                return card
            } catch .noAnswer where current == nil {
                // Another program has reset the card, for example at the end of its work. Connect again.
            }
        }
        let card = try perform("connecting") { () throws(PCSCStatus) in
            try CardAttempt(reader: name).connection(limit: Self.patience, isAborted: { isAborted })
        }
        self.card = card
        // While another program has a transaction, libpcsclite would block every command without limit.
        try takeTransaction(of: card)
        if properties == nil {
            let found = ReaderProperties(card)
            properties = found
            dialect = ReaderDialect.of(name: name, vendor: found.vendor, product: found.product)
        }
        return card
    }

    private func channel(to target: Target) throws(ReaderError) -> PCSCChannel {
        try openCard().isUsed = true
        let channel = PCSCChannel(
            target: target, reader: name, dialect: dialect, owner: self, limit: properties?.limit ?? .short,
            logger: logger)
        current = channel
        return channel
    }

    /// Reconnects to the card, and checks that it is still the same card.
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
            bytes = try perform("sending a tag command") { () throws(PCSCStatus) in
                do throws(PCSCStatus) { return try card.transmit(command) } catch {
                    // Another program reset the card between two commands of this program. After reconnecting, the card
                    // is in a new state.
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

    /// Converts an error that a removal may have caused: to `tagLost` if pcscd has noticed a removal, otherwise to
    /// `noAnswer`.
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
