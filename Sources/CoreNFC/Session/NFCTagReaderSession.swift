// A session for tags in their own language — CoreNFC NFCTagReaderSession

public import Foundation
import ReaderInterface
import ReaderSession
import Synchronization
import TagTypes

/// Finds tags, and sends them commands of their own: MIFARE, ISO 7816, FeliCa, ISO 15693.
///
/// ```swift
/// let session = NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: self)
/// session?.begin()
/// ```
///
/// Tags of ISO/IEC 15693 are out of reach of a reader with a PN53x: a session for them alone ends with code 1, and one for
/// others too finds the others.
open class NFCTagReaderSession: NFCReaderSession, @unchecked Sendable {
    /// What to look for, unless a round of polling has a configuration of its own.
    private let configuredPollingOption: PollingOption
    private let selection = Mutex(Selection())

    private struct Selection {
        var identifiers: [String]?
        var systemCodes: [String]?
        var round: Configuration?
        var connected: (any NativeSessionTag)?
    }

    /// Makes a session; nil when there is nothing to look for.
    ///
    /// - Parameters:
    ///   - pollingOption: what to look for.
    ///   - delegate: held weakly.
    ///   - queue: where the delegate and all handlers are called; nil for a private serial queue.
    public convenience init?(
        pollingOption: NFCTagReaderSession.PollingOption, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        guard !pollingOption.isEmpty else { return nil }
        self.init(configuration: Configuration(pollingOption: pollingOption), delegate: delegate, queue: queue)
    }

    /// Makes a session.
    ///
    /// - Parameters:
    ///   - configuration: what to look for, and which applications and systems to select.
    ///   - delegate: held weakly.
    ///   - queue: where the delegate and all handlers are called; nil for a private serial queue.
    public init(
        configuration: NFCTagReaderSession.Configuration, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        configuredPollingOption = configuration.pollingOption
        super.init(delegate: delegate, queue: queue)
        let (identifiers, systemCodes) = (configuration.iso7816SelectIdentifiers, configuration.feliCaSystemCodes)
        selection.withLock {
            $0.identifiers = identifiers.isEmpty ? nil : identifiers
            $0.systemCodes = systemCodes.isEmpty ? nil : systemCodes
        }
    }

    /// The tag that is connected.
    open var connectedTag: NFCTag? { selection.withLock { $0.connected }?.kind }

    /// Looks for tags again.
    ///
    /// Tags found before are dead. Does nothing in a session that has ended.
    open func restartPolling() { restartPolling(as: nil) }

    /// Looks for other tags than the session was made for, until ``restartPolling()``.
    ///
    /// Tags found before are dead. Does nothing in a session that has ended; one that cannot look for these tags ends, with
    /// code 1 when the reader has no radio for any of them and code 3 for a malformed identifier or nothing to look for.
    ///
    /// - Parameter configuration: what to look for; with no identifiers or system codes, those of the session.
    public func restartPolling(configuration: NFCTagReaderSession.Configuration) { restartPolling(as: configuration) }

    private func restartPolling(as configuration: Configuration?) {
        core.restartPolling { _ in
            self.setConnected(nil)
            self.selection.withLock { $0.round = configuration }
            if configuration != nil, let refusal = self.refusal {
                self.end(with: refusal)
                return nil
            }
            return Polling(self.technologies)
        }
    }

    /// Connects to a tag, dropping another one.
    ///
    /// For the tag that is connected it checks that the tag is still there.
    ///
    /// Codes: 3 for a tag of another session, 100 when the tag is gone or was found before ``restartPolling()``, 103 when the
    /// session has ended.
    @preconcurrency
    open func connect(to tag: NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        connect(to: tag.native, completionHandler: completionHandler)
    }

    /// Connects to a tag, dropping another one.
    open func connect(to tag: NFCTag) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            connect(to: tag) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    var pollingOption: PollingOption { selection.withLock { $0.round }?.pollingOption ?? configuredPollingOption }

    override var technologies: [Technology] {
        let isISO14443 = !pollingOption.isDisjoint(with: [.iso14443, .pace])
        let isForPACE = pollingOption.contains(.pace)
        let isISO18092 = pollingOption.contains(.iso18092) && !isForPACE
        let isISO15693 = pollingOption.contains(.iso15693) && !isForPACE
        return (isISO14443 ? [.nfcA, .nfcB] : []) + (isISO18092 ? [.nfcF] : []) + (isISO15693 ? [.nfcV] : [])
    }

    override var refusal: NFCReaderError? {
        if technologies.isEmpty { return NFCReaderError(.readerErrorInvalidParameter) }
        do {
            _ = try permission
            return nil
        } catch {
            return NFCReaderError(.readerErrorInvalidParameter, causedBy: error)
        }
    }

    override func connectionChanged(to tag: SessionTag?) { setConnected(tag as? any NativeSessionTag) }

    private func setConnected(_ tag: (any NativeSessionTag)?) { selection.withLock { $0.connected = tag } }

    private var tagDelegate: (any NFCTagReaderSessionDelegate)? { delegate as? any NFCTagReaderSessionDelegate }

    override func didBecomeActive() {
        tagDelegate?.tagReaderSessionDidBecomeActive(self)
    }

    override func didInvalidate(_ error: NFCReaderError) {
        setConnected(nil)
        tagDelegate?.tagReaderSession(self, didInvalidateWithError: error)
    }

    override func didFind(_ detected: [DetectedTag]) {
        guard let round = detected.first?.round else { return }
        let tags: [any NativeSessionTag]
        do {
            let sorting = TagSorting(session: self, permission: try permission)
            tags = try detected.compactMap { try sorting.tag(for: $0) }
        } catch {
            return core.readerFailed(with: error)
        }
        guard !tags.isEmpty else { return core.pollLater() }
        deliver(of: round) { self.tagDelegate?.tagReaderSession(self, didDetect: tags.map(\.kind)) }
    }
}

extension NFCTagReaderSession {
    /// The identifiers of the applications to look for on cards, in hex, the first of them that a card has being selected; set it
    /// before ``NFCReaderSession/begin()``.
    ///
    /// On an iPhone they stand in the app's Info.plist, under `com.apple.developer.nfc.readersession.iso7816.select-identifiers`.
    /// Nil, the default, takes them from a file of that name next to the program, if there is one. With identifiers, a card on
    /// which none of them selects an application is ``NFCTag/miFare(_:)``, one of type B is passed over, and a SELECT of
    /// another gives code 2.
    ///
    /// Without any, all may be selected; a MIFARE DESFire or Plus is ``NFCTag/miFare(_:)``, every other card with ISO-DEP is
    /// ``NFCTag/iso7816(_:)``, its NDEF application selected if it has one.
    public var iso7816SelectIdentifiers: [String]? {
        get { selection.withLock { $0.identifiers } }
        set { selection.withLock { $0.identifiers = newValue } }
    }

    /// The codes of the FeliCa systems to look for, in hex, the first of them that a card has being selected; set it before
    /// ``NFCReaderSession/begin()``.
    ///
    /// On an iPhone they stand in the app's Info.plist, under `com.apple.developer.nfc.readersession.felica.systemcodes`. Nil, the
    /// default, takes them from a file of that name next to the program, if there is one. With codes, a card without any of these
    /// systems is passed over, and polling for another gives code 2. Without any, a card comes with its first system.
    public var feliCaSystemCodes: [String]? {
        get { selection.withLock { $0.systemCodes } }
        set { selection.withLock { $0.systemCodes = newValue } }
    }

    var permission: TagPermission {
        get throws(TagPermission.Malformed) {
            let selection = selection.withLock { $0 }
            let (identifiers, systemCodes) = (
                selection.round?.iso7816SelectIdentifiers ?? [], selection.round?.feliCaSystemCodes ?? []
            )
            return try TagPermission(
                identifiers: identifiers.isEmpty ? selection.identifiers : identifiers,
                systemCodes: systemCodes.isEmpty ? selection.systemCodes : systemCodes)
        }
    }
}

extension NFCTag {
    /// The tag itself, if it is one of ours.
    var native: SessionTag? {
        switch self {
        case .feliCa(let tag): tag as? SessionTag
        case .iso7816(let tag): tag as? SessionTag
        case .iso15693(let tag): tag as? SessionTag
        case .miFare(let tag): tag as? SessionTag
        }
    }
}
