// The reasons why a string on the command line is not a raw command, in words

import Hexadecimal
public import TagTypes

extension RawCommandError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "It holds no bytes."
        case .notHex(let error): error.description
        case .noAPDU(let length):
            """
            \(ByteCount(length)) \(length == 1 ? "is" : "are") not an APDU: an APDU begins with CLA INS P1 P2. Quote \
            a command that contains spaces.
            """
        case .noStatus(let text): "\(text) is not a status word. Use four hexadecimal digits, or x for any digit."
        case .statusOfOwnCommand:
            "transceive does not check status words. Remove the = and what follows, or use nfctool apdu."
        }
    }
}
