// The meanings of colours, in one place — ECMA-48, 8.3.117 (SGR), and the bright colours that terminals add to it

/// A meaning that a colour expresses.
///
/// A program can add its own meanings.
package struct Ink: Hashable, Sendable {
    /// A parameter of the SGR control function.
    package enum Code: UInt8, Sendable {
        case bold = 1
        case underline = 4
        case red = 31
        case green = 32
        case yellow = 33
        case magenta = 35
        case cyan = 36
        case lightBlack = 90
        case lightYellow = 93
        case lightBlue = 94
        case lightMagenta = 95
        case lightCyan = 96
    }

    /// The parameters of the SGR control function: the colour, followed by the style.
    package let codes: [UInt8]

    package init(_ codes: Code...) { self.codes = codes.map(\.rawValue) }

    package static let heading = Ink(.lightCyan, .bold)
    package static let strong = Ink(.bold)
    package static let faint = Ink(.lightBlack)
    package static let link = Ink(.cyan, .underline)
    package static let good = Ink(.green)
    package static let warning = Ink(.yellow)
    package static let bad = Ink(.red)
}
