// What colours mean, in one place — ECMA-48, 8.3.117 (SGR), and the bright colours that terminals add to it

/// A meaning that text is coloured by.
enum Ink: Hashable, CaseIterable {
    case heading, strong, faint, link
    case good, warning, bad
    case locked
    case uid, lock, capabilityContainer, tlv, ndef, free, reserved, configuration, password, counter

    /// The parameters of the SGR control function: the colour first, then the style.
    var codes: [UInt8] {
        switch self {
        case .heading: [SGR.lightCyan, SGR.bold]
        case .strong: [SGR.bold]
        case .link: [SGR.cyan, SGR.underline]
        case .faint, .free, .reserved: [SGR.lightBlack]
        case .good, .ndef: [SGR.green]
        case .warning: [SGR.yellow]
        case .bad, .password: [SGR.red]
        case .locked: [SGR.underline]
        case .uid: [SGR.cyan]
        case .lock: [SGR.magenta]
        case .capabilityContainer: [SGR.yellow, SGR.bold]
        case .tlv: [SGR.lightBlue]
        case .configuration: [SGR.lightMagenta]
        case .counter: [SGR.lightYellow]
        }
    }

    private enum SGR {
        static let bold: UInt8 = 1
        static let underline: UInt8 = 4
        static let red: UInt8 = 31
        static let green: UInt8 = 32
        static let yellow: UInt8 = 33
        static let magenta: UInt8 = 35
        static let cyan: UInt8 = 36
        static let lightBlack: UInt8 = 90
        static let lightYellow: UInt8 = 93
        static let lightBlue: UInt8 = 94
        static let lightMagenta: UInt8 = 95
        static let lightCyan: UInt8 = 96
    }
}
