// A tag's UID on the command line

import ArgumentParser
import Composing

/// A tag's UID as an argument: hexadecimal, with or without colons, spaces or dashes.
struct TagUID: ExpressibleByArgument, Hashable {
    let bytes: [UInt8]

    init?(argument: String) {
        guard let bytes = UIDText.bytes(argument) else { return nil }
        self.bytes = bytes
    }
}
