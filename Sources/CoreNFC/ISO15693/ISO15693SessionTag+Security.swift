// Crypto suite commands with the app's messages — NFCISO15693Tag; ISO/IEC 15693-3, commands 35–3A; ISO/IEC 29167
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import TagTypes

extension ISO15693SessionTag {
    func __authenticate(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        secure(0x35, flags, [cryptoSuiteIdentifier], message, completionHandler)
    }

    func __keyUpdate(
        withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        secure(0x36, flags, [keyIdentifier], message, completionHandler)
    }

    func __challenge(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let message = [UInt8](message)
        carryOut(completionHandler) {
            let suite = try UInt8(cryptoSuiteIdentifier, in: 0x00...0xFF)
            try $0.sendWithoutAnswer(Self.request(0x39, flags, [suite] + message))
        }
    }

    func __readBuffer(
        withRequestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        secure(0x3A, flags, [], Data(), completionHandler)
    }

    /// Sends a command of the crypto suite.
    ///
    /// The app interprets an in-process reply.
    private func secure(
        _ code: UInt8, _ flags: NFCISO15693RequestFlag, _ identifier: [Int], _ message: Data,
        _ completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        let message = [UInt8](message)
        perform {
            let identifier = try identifier.map { try UInt8($0, in: 0x00...0xFF) }
            let response = try $0.send(Self.request(code, flags, identifier + message))
            return (NFCISO15693ResponseFlag(rawValue: response.flags), Data(response.data))
        } completion: { result in
            switch result {
            case .success(let (flags, data)): completionHandler(flags, data, nil)
            case .failure(let error): completionHandler([], Data(), error)
            }
        }
    }
}
