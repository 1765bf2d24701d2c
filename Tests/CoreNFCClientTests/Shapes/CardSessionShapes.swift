// How an app emulates a card: it waits for a reader, answers its commands, and shows its user what happens
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.

#if canImport(CoreNFC)
    import CoreNFC

    class CardShape {
        var intent: NFCPresentmentIntentAssertion?
        var log: [String] = []

        static let applet: [UInt8] = [0xF0, 0x01, 0x02, 0x03, 0x04]

        func canEmulate() async -> Bool {
            guard NFCReaderSession.readingAvailable, CardSession.isSupported, await CardSession.isEligible else {
                return false
            }
            return true
        }

        func start() async throws -> CardSession { try await CardSession() }

        func process(_ capdu: Data) -> Data {
            let select = Data([0x00, 0xA4, 0x04, 0x00, UInt8(Self.applet.count)] + Self.applet)
            return capdu.prefix(select.count) == select ? Data([0x90, 0x00]) : Data([0x6A, 0x82])
        }

        func run(_ makeSession: () async throws -> CardSession) async {
            let session: CardSession
            do {
                intent = try await NFCPresentmentIntentAssertion.acquire()
                session = try await makeSession()
            } catch let error as CardSession.Error {
                log.append("failed: \(error)")
                return
            } catch {
                log.append("failed otherwise")
                return
            }
            do {
                for try await event in session.eventStream {
                    switch event {
                    case .sessionStarted:
                        session.alertMessage = "Hold it to the reader."
                        log.append("started")
                    case .readerDetected:
                        if await !session.isEmulationInProgress { try await session.startEmulation() }
                        log.append("reader")
                    case .received(let apdu):
                        do {
                            try await apdu.respond(response: process(apdu.payload))
                        } catch CardSession.Error.transmissionError {
                            log.append("not sent")
                        }
                        log.append("command of \(apdu.payload.count)")
                    case .readerDeselected:
                        await session.stopEmulation(status: .success)
                        session.invalidate()
                    case .sessionInvalidated(reason: let reason):
                        log.append(Self.text(reason))
                    }
                }
            } catch {
                log.append("\(error)")
            }
            intent = nil
        }

        static func text(_ error: CardSession.Error) -> String {
            switch error {
            case .invalidated: "ended"
            case .userInvalidated: "ended by the user"
            case .maxSessionDurationReached: "took too long"
            case .transmissionError: "not sent"
            case .systemNotAvailable: "no reader"
            case .accessNotAccepted: "not allowed"
            case .systemEligibilityFailed: "not here"
            case .emulationStopped: "stopped"
            case .radioDisabled: "off"
            }
        }
    }
#endif
