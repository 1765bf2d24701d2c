// The file with a message that a command checks or decodes, if the user names one

import Composing
import Foundation

extension MessageFile {
    /// Creates the value for a command's argument.
    ///
    /// Without an argument, the message comes from stdin.
    ///
    /// - Throws: `UsageFailure` if there is no argument and stdin is a terminal, where the command would only wait.
    init(argument: String?, isHex: Bool, orGive others: String = "") throws {
        guard argument != nil || isatty(STDIN_FILENO) == 0 else {
            throw UsageFailure(message: "Give a file with a message or a dump\(others). To type the bytes, give -.")
        }
        self.init(path: argument ?? "-", isHex: isHex)
    }
}
