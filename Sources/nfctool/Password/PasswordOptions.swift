// Sources of a password: a file, the environment, or a person; never an argument, which other users can see

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
                Default: the environment variable NFCTOOL_PASSWORD.
                """, valueName: "file"), completion: .file())
    var file: String?

    /// The given password; nil if none is given.
    func credential() throws -> Type2Credential? {
        if let file { return try Self.credential(inFile: file) }
        guard let text = PasswordVariable.text else { return nil }
        guard let credential = PasswordText.credential(text) else { throw NotAPassword(source: PasswordVariable.name) }
        return credential
    }

    /// The given password; asks for one on a terminal if none is given.
    ///
    /// A new password is asked for twice, because a typing error would lock the user out of the tag. Throws
    /// ``NoPassword`` if the command cannot ask, ``PasswordsDiffer`` if the two entries differ, and ``NotAPassword``.
    func credential(orAsk prompt: PasswordPrompt, isNew: Bool) throws -> Type2Credential {
        if let credential = try credential() { return credential }
        return try prompt.ask(isNew: isNew)
    }

    /// The new password; asks for it twice on a terminal if none is given.
    ///
    /// - Throws: ``FactoryPassword`` for the password with which every chip is delivered.
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

/// A new password that is the one with which every chip is delivered.
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
