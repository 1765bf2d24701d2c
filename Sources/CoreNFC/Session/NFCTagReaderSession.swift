// A session for tags with their native commands — CoreNFC NFCTagReaderSession

public import Foundation
import ReaderInterface
import ReaderSession
import Synchronization
import TagTypes

/// Finds tags and sends them their native commands: MIFARE, ISO 7816, FeliCa, ISO 15693.
///
/// ```swift
/// let session = NFCTagReaderSession(pollingOption: [.iso14443, .iso18092], delegate: self)
/// session?.begin()
/// ```
///
/// A reader with a PN53x does not support ISO/IEC 15693: a session for such tags alone ends with code 1, and a session
/// that also looks for other kinds finds only the other kinds.
open class NFCTagReaderSession: NFCReaderSession, @unchecked Sendable {
    /// The tags to look for, unless a round of polling has its own configuration.
    private let configuredPollingOption: PollingOption
    private let selection = Mutex(Selection())
    // A cast of `delegate` would fail outside its actor if only the main actor has the conformance (SE-0470).
    private weak var tagDelegate: (any NFCTagReaderSessionDelegate)?

    private struct Selection {
        var identifiers: [String]?
        var systemCodes: [String]?
        var round: Configuration?
        var connected: (any NativeSessionTag)?
    }

    /// Creates a session, or returns nil if the polling option is empty.
    ///
    /// - Parameters:
    ///   - pollingOption: the tags to look for.
    ///   - delegate: the delegate, held weakly.
    ///   - queue: the queue for the delegate and all handlers, or nil for a private serial queue.
    public convenience init?(
        pollingOption: NFCTagReaderSession.PollingOption, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        guard !pollingOption.isEmpty else { return nil }
        self.init(configuration: Configuration(pollingOption: pollingOption), delegate: delegate, queue: queue)
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - configuration: the tags to look for, and the applications and systems to select.
    ///   - delegate: the delegate, held weakly.
    ///   - queue: the queue for the delegate and all handlers, or nil for a private serial queue.
    public init(
        configuration: NFCTagReaderSession.Configuration, delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        configuredPollingOption = configuration.pollingOption
        tagDelegate = delegate
        super.init(delegate: delegate, queue: queue)
        let (identifiers, systemCodes) = (configuration.iso7816SelectIdentifiers, configuration.feliCaSystemCodes)
        selection.withLock {
            $0.identifiers = identifiers.isEmpty ? nil : identifiers
            $0.systemCodes = systemCodes.isEmpty ? nil : systemCodes
        }
    }

    /// The connected tag, or nil if no tag is connected.
    open var connectedTag: NFCTag? { selection.withLock { $0.connected }?.kind }

    /// Looks for tags again.
    ///
    /// Tags found earlier can no longer be used. Does nothing if the session has ended.
    open func restartPolling() { restartPolling(as: nil) }

    /// Looks for the tags of another configuration until ``restartPolling()`` is called.
    ///
    /// Tags found earlier can no longer be used. Does nothing if the session has ended. A session that cannot look for
    /// these tags ends: with code 1 if the reader supports none of them, and code 3 for a malformed identifier or an
    /// empty polling option.
    ///
    /// - Parameter configuration: the tags to look for. If the identifiers or system codes are empty, those of the
    ///   session are used.
    public func restartPolling(configuration: NFCTagReaderSession.Configuration) { restartPolling(as: configuration) }

    private func restartPolling(as configuration: Configuration?) {
        core.restartPolling { _ in
            self.setConnected(nil)
            self.selection.withLock { $0.round = configuration }
            if let refusal = self.refusal {
                self.end(with: refusal)
                return nil
            }
            return Polling(self.technologies)
        }
    }

    /// Connects to a tag, and drops the connection to any other tag.
    ///
    /// For a tag that is already connected, checks that it is still present.
    ///
    /// Error codes: 3 for a tag of another session; 100 if the tag is gone or was found before ``restartPolling()``;
    /// 103 if the session has ended.
    @preconcurrency
    open func connect(to tag: NFCTag, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        connect(to: tag.native, completionHandler: completionHandler)
    }

    /// Connects to a tag, and drops the connection to any other tag.
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

    override func didBecomeActive() {
        tagDelegate?.tagReaderSessionDidBecomeActive(self)
    }

    override func didInvalidate(_ error: NFCReaderError) {
        setConnected(nil)
        tagDelegate?.tagReaderSession(self, didInvalidateWithError: error)
    }

    override func didFind(_ detected: [DetectedTag]) {
        guard let round = detected.first?.round else { return }
        let permission: TagPermission
        do throws(TagPermission.Malformed) {
            permission = try self.permission
        } catch {
            return end(with: NFCReaderError(.readerErrorInvalidParameter, causedBy: error))
        }
        let tags: [any NativeSessionTag]
        do {
            let sorting = TagSorting(session: self, permission: permission)
            tags = try detected.compactMap { try sorting.tag(for: $0) }
        } catch {
            return core.readerFailed(with: error)
        }
        guard !tags.isEmpty else { return core.pollLater() }
        deliver(of: round) { self.tagDelegate?.tagReaderSession(self, didDetect: tags.map(\.kind)) }
    }
}

extension NFCTagReaderSession {
    /// The identifiers of the applications to look for on cards, in hex.
    ///
    /// Set them before ``NFCReaderSession/begin()``. The session selects the first of them that a card has.
    ///
    /// On an iPhone, they are in the app's Info.plist, under
    /// `com.apple.developer.nfc.readersession.iso7816.select-identifiers`. If nil, the default, they are read from an
    /// Info.plist next to the program, if there is one. If identifiers are given, a type A card without any of these
    /// applications is reported as ``NFCTag/miFare(_:)``, and such a type B card is ignored. A SELECT of any other
    /// application fails with code 2.
    ///
    /// If no identifiers are given, all applications may be selected. A MIFARE DESFire or Plus is reported as
    /// ``NFCTag/miFare(_:)``, and any other card with ISO-DEP as ``NFCTag/iso7816(_:)``, with its NDEF application
    /// selected if it has one.
    public var iso7816SelectIdentifiers: [String]? {
        get { selection.withLock { $0.identifiers } }
        set { selection.withLock { $0.identifiers = newValue } }
    }

    /// The codes of the FeliCa systems to look for, in hex.
    ///
    /// Set them before ``NFCReaderSession/begin()``. The session selects the first of them that a card has.
    ///
    /// On an iPhone, they are in the app's Info.plist, under
    /// `com.apple.developer.nfc.readersession.felica.systemcodes`. If nil, the default, they are read from an
    /// Info.plist next to the program, if there is one. If codes are given, a card without any of these systems is
    /// ignored, and polling for any other system gives code 2. If no codes are given, a card's first system is
    /// selected.
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
    /// The tag itself if its type belongs to this module, otherwise nil.
    var native: SessionTag? {
        switch self {
        case .feliCa(let tag): tag as? SessionTag
        case .iso7816(let tag): tag as? SessionTag
        case .iso15693(let tag): tag as? SessionTag
        case .miFare(let tag): tag as? SessionTag
        }
    }
}
