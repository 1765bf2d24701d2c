// The sources of a password: a file, the environment, or a prompt, but never an argument, which other users could see

import ArgumentParser
import Composing
import Foundation
import Synchronization
import TagTypes

struct PasswordOptions: ParsableArguments {
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp(
            "The file with the password of a protected tag.",
            discussion: """
                8 hexadecimal digits (PWD), 8 and 4 with a colon between (PWD:PACK), or 32 for the key of an Ultralight C or AES. \
                Default: the environment variable NFCTOOL_PASSWORD.
                """, valueName: "file"), completion: .file())
    var file: String?

    /// Returns the given password, or nil if none is given.
    func credential() throws -> Type2Credential? {
        if let file { return try Self.credential(in: OptionFile(option: "--password-file", path: file)) }
        guard let text = PasswordVariable.text else { return nil }
        guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: PasswordVariable.name) }
        return credential
    }

    /// Returns the given password or, without one, asks for it on the terminal.
    ///
    /// A new password is asked for twice, because a typing error would lock the user out of the tag. Throws
    /// ``NoPassword`` if the user cannot be asked, ``PasswordsDiffer`` if the two entries differ, and ``NotAPassword``.
    func credential(orAsk prompt: PasswordPrompt, isNew: Bool) throws -> Type2Credential {
        if let credential = try credential() { return credential }
        return try prompt.ask(isNew: isNew)
    }

    /// Returns the given new password or, without one, asks for it twice on the terminal.
    ///
    /// - Throws: ``FactoryPassword`` if it is the password with which every chip is delivered.
    func newCredential(orAsk prompt: PasswordPrompt) throws -> Type2Credential {
        let new = try credential(orAsk: prompt, isNew: true)
        guard !new.isDelivered else { throw FactoryPassword(credential: new) }
        return new
    }

    /// Reads the password in a file.
    ///
    /// - Throws: ``NotAPassword``; ``SecretAsFile``; ``UnreadableOptionFile``.
    static func credential(in file: OptionFile) throws -> Type2Credential {
        if let credential = wasRead.withLock({ $0[file.path] }) { return credential }
        let credential = try file.reading { input in
            guard let credential = PasswordText.credential(try input.readText()) else {
                throw NotAPassword(source: input.source)
            }
            return credential
        }
        wasRead.withLock { $0[file.path] = credential }
        return credential
    }

    /// The passwords that this process has read, by path.
    ///
    /// The file may be a pipe, such as the shell's `<(pass show tags)`, which can be read only once.
    private static let wasRead = Mutex<[String: Type2Credential]>([:])
}

/// The new password is the one with which every chip is delivered.
struct FactoryPassword: Failure {
    let credential: Type2Credential
    var name: ErrorName { .usage }
    var message: String {
        let what =
            switch credential {
            case .password: "FFFFFFFF is the password"
            case .key: "This is the key"
            }
        return
            "\(what) that every such chip is delivered with: it protects nothing. Choose another. Nothing was changed."
    }
}
