// The colours of block roles in a memory display

package import Terminal

extension Ink {
    /// The style for a locked block, whatever its role.
    package static let locked = Ink(.underline)

    package static let uid = Ink(.cyan)
    package static let lock = Ink(.magenta)
    package static let capabilityContainer = Ink(.yellow, .bold)
    package static let tlv = Ink(.lightBlue)
    package static let ndef = Ink(.green)
    package static let free = Ink(.lightBlack)
    package static let reserved = Ink(.lightBlack)
    package static let configuration = Ink(.lightMagenta)
    package static let password = Ink(.red)
    package static let counter = Ink(.lightYellow)
}
