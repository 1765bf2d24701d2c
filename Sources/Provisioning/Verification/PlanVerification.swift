// The verification of a plan: each tag is placed again, looked up, read and compared

import Composing
import Foundation
import SafeTag
public import SecureDynamicMessaging
public import TagTypes

/// One verification of a plan, tag by tag, until all tags have been seen or no more are placed.
///
/// Nothing is written to the tags. The journal is only read: to store the results in it, use
/// ``VerificationRecord/storeRemarks(in:)``.
public final class PlanVerification: Sendable {
    private let desk: VerificationDesk
    private let crew: ReaderCrew
    private let recipe: RowRecipe?
    private let password: Type2Credential?
    private let observer: any ProvisionObserver
    private let journal: any ProvisionJournal

    /// Prepares a verification.
    ///
    /// No reader is opened before ``run()``.
    ///
    /// - Parameters:
    ///   - journal: the journal of the plan, which is only read.
    ///   - setup: the readers, the limits, and the password of the tags if it is known.
    ///   - observer: receives the events of the verification.
    /// - Throws: ``OtherPassword`` if the tags have another password (the given one is then never sent) or sign their
    ///   URLs with other keys; `JournalError`.
    public init(_ journal: any ProvisionJournal, _ setup: ProvisionRun.Setup, observer: any ProvisionObserver) throws {
        guard journal.readsRows else { throw JournalError.rowsNotShown(journal: journal.name) }
        if let password = setup.credential, let digest = journal.plan.password, !digest.isDigest(of: password) {
            throw OtherPassword(journal: journal.name, isGiven: true)
        }
        if journal.plan.dynamicTemplate != nil {
            guard let keys = setup.tagKeys, journal.plan.password?.isDigest(of: keys) ?? true else {
                throw OtherPassword(journal: journal.name, isGiven: setup.tagKeys != nil, isOfKeys: true)
            }
        }
        var opening = setup
        // Each tag is first checked without a password.
        opening.credential = nil
        crew = ReaderCrew(opening, observer)
        desk = try VerificationDesk(journal, crew.roster, limit: setup.limit)
        // A row that requires a password has no content without one, but the content does not depend on it.
        recipe = try? RowRecipe(
            of: journal.plan, password: setup.credential ?? Self.anyPassword, keys: setup.tagKeys)
        password = setup.credential
        self.journal = journal
        self.observer = observer
    }

    /// A password that is never sent.
    private static let anyPassword = Type2Password(pwd: [0, 0, 0, 0], pack: [0, 0]).map { Type2Credential.password($0) }

    /// Runs until all tags have been seen, or as many as the setup's `limit`, or until no tag was placed within the
    /// time limit.
    ///
    /// The last event is the summary.
    ///
    /// - Throws: `JournalError`; `Interrupted`; a reader's error if none could be opened.
    @discardableResult
    public func run() async throws -> VerificationSummary {
        let result = await crew.run(for: desk) {
            [desk, recipe, password, isPasswordCertain = journal.plan.password != nil] session, tell in
            TagVerifier(
                session: session, desk: desk, recipe: recipe, password: password,
                isPasswordCertain: isPasswordCertain, tell: tell)
        }
        // The error that ended the verification is more useful than an error from reading the journal for the summary.
        let summary = try? await desk.summary()
        if let summary { observer.tell(.checkedAll(summary), on: nil) }
        try result.get()
        if let summary { return summary }
        return try await desk.summary()
    }

    /// Returns the results so far, for a report.
    public func record() async throws -> VerificationRecord { try await desk.record() }

    /// Ends the verification.
    ///
    /// This returns immediately.
    public func interrupt() { crew.interrupt() }
}

extension RowRecipe {
    /// Recreates the recipe of a plan from the plan's journal.
    ///
    /// - Throws: `PlanError` if another version of nfctool wrote the journal.
    init(
        of plan: PlanIdentity, password: Type2Credential?, keys: SDMKeyFile? = nil,
        overwrite: RowSettings.Overwrite? = nil
    ) throws(PlanError) {
        var settings = RowSettings(password: password)
        var options: [RecordOption] = []
        for line in plan.recipe {
            let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let value = words.count > 1 ? words[1] : ""
            if let name = RecordOption.Name.allCases.first(where: { $0.option == words[0] }) {
                options.append(RecordOption(name: name, value: value))
            } else if let column = RowSettings.Column(rawValue: String(words[0].dropFirst(2))) {
                // A line that contains only the name of a setting turns the setting on.
                try settings.set(column, to: words.count > 1 ? value : "yes", line: 0)
            }
        }
        if let overwrite { settings.overwrite = overwrite }
        let dynamic = plan.dynamicTemplate.flatMap { template in
            keys.map { keys in
                DynamicRecipe(
                    template: template, keys: keys,
                    keyVersion: UInt8(truncatingIfNeeded: plan.keyVersion ?? 0))
            }
        }
        try self.init(options: options, settings: settings, dynamic: dynamic)
    }

    /// Creates the recipe of a plan that another station has started, for a station that joins without the plan's file.
    ///
    /// - Parameters:
    ///   - journal: the plan's journal.
    ///   - password: the password that the plan's tags get, if this run sets one.
    ///   - keys: the keys that the plan's tags get, if they sign their URLs.
    ///   - overwrite: which existing content of tags this station may overwrite.
    /// - Throws: ``OtherPassword`` if the plan was started with another password or other keys; `PlanError`.
    public init(
        joining journal: any ProvisionJournal, password: Type2Credential?, keys: SDMKeyFile? = nil,
        overwrite: RowSettings.Overwrite
    ) throws {
        let isOfKeys = journal.plan.dynamicTemplate != nil
        let digest = journal.plan.password
        let isSame =
            isOfKeys
            ? keys.map { digest?.isDigest(of: $0) ?? true } ?? false
            : digest.map { digest in password.map { digest.isDigest(of: $0) } ?? false } ?? true
        guard isSame else {
            throw OtherPassword(
                journal: journal.name, isGiven: isOfKeys ? keys != nil : password != nil, isOfKeys: isOfKeys)
        }
        try self.init(of: journal.plan, password: password, keys: keys, overwrite: overwrite)
    }
}
