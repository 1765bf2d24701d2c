// Where a command takes a password from: a file, the environment, or a person — never an argument, which others can see

import ArgumentParser
import Composing
import Foundation
import TagTypes

/// The password of protected tags.
struct PasswordOptions: ParsableArguments {
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp(
            "The file with the password of a protected tag.",
            discussion: """
                8 hexadecimal digits (PWD), 8 and 4 with a colon between (PWD:PACK), or 32 for the key of an Ultralight C or AES. \
                Default: the environment's NFCTOOL_PASSWORD.
                """, valueName: "file"), completion: .file())
    var file: String?

    /// The password, where one is given.
    func credential() throws -> Type2Credential? {
        if let file { return try Self.credential(inFile: file) }
        guard let text = PasswordVariable.text else { return nil }
        guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: PasswordVariable.name) }
        return credential
    }

    /// The password, asked for on a terminal when none is given.
    ///
    /// A new password is asked for twice: a slip would lock the user out of the tag. Throws ``NoPassword`` when the
    /// command cannot ask, ``PasswordsDiffer`` when the two are not the same, and ``NotAPassword``.
    func credential(orAsk prompt: PasswordPrompt, isNew: Bool) throws -> Type2Credential {
        if let credential = try credential() { return credential }
        return try prompt.ask(isNew: isNew)
    }

    /// A new password, asked for twice on a terminal when none is given.
    ///
    /// - Throws: ``FactoryPassword`` for the one that every chip is delivered with.
    func newCredential(orAsk prompt: PasswordPrompt) throws -> Type2Credential {
        let new = try credential(orAsk: prompt, isNew: true)
        guard !new.isDelivered else { throw FactoryPassword(credential: new) }
        return new
    }

    /// The password in a file.
    static func credential(inFile path: String) throws -> Type2Credential {
        let file = InputFile(path: path)
        guard let credential = PasswordText.credential(try file.readText()) else {
            throw NotAPassword(source: file.source)
        }
        return credential
    }
}

/// A new password is the one that every chip is delivered with.
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
