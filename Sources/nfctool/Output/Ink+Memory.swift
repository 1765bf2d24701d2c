// The colours of what a tag's memory holds

import Terminal

extension Ink {
    /// A block that is locked, whatever it holds.
    static let locked = Ink(.underline)

    static let uid = Ink(.cyan)
    static let lock = Ink(.magenta)
    static let capabilityContainer = Ink(.yellow, .bold)
    static let tlv = Ink(.lightBlue)
    static let ndef = Ink(.green)
    static let free = Ink(.lightBlack)
    static let reserved = Ink(.lightBlack)
    static let configuration = Ink(.lightMagenta)
    static let password = Ink(.red)
    static let counter = Ink(.lightYellow)
}
