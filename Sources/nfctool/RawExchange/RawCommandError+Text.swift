// Why a text on the command line is no command, in words

import Hexadecimal
public import TagTypes

extension RawCommandError: CustomStringConvertible {
    /// In a sentence.
    package var description: String {
        switch self {
        case .empty: "It holds no bytes."
        case .notHex(let error): error.description
        case .noAPDU(let length):
            """
            \(ByteCount(length)) \(length == 1 ? "is" : "are") no APDU, which begins with CLA INS P1 P2; spaces in a command \
            need quotes around it.
            """
        case .noStatus(let text): "\(text) is no status word: four hexadecimal digits, or x for any digit."
        case .statusOfOwnCommand: "Only nfctool apdu checks status words."
        }
    }
}
