// Calls of pcscd to the reader, as the driver passes them on — Sources/IFDHandler/include/IFDHandler.h

/// What pcscd wants of a reader.
enum IFDCall {
    case power(PowerAction)
    case transmit([UInt8])
    case control(UInt32, [UInt8])
    case presence
    case attribute(UInt32)

    /// The actions of IFDHPowerICC — <ifdhandler.h>.
    enum PowerAction: UInt32 {
        case up = 500
        case down = 501
        case reset = 502
    }

    /// A header and its data; nil for a call that there is not.
    init?(_ call: UInt32, argument: UInt32, _ data: [UInt8]) {
        switch call {
        case 1:
            guard let action = PowerAction(rawValue: argument) else { return nil }
            self = .power(action)
        case 2: self = .transmit(data)
        case 3: self = .control(argument, data)
        case 4: self = .presence
        case 5: self = .attribute(argument)
        default: return nil
        }
    }
}

/// The answer to a call.
struct IFDReply: Hashable {
    /// Response codes — <ifdhandler.h>.
    enum Code: UInt32 {
        case success = 0
        case errorTag = 600
        case errorPowerAction = 608
        case communicationError = 612
        case notSupported = 614
        case present = 615
        case notPresent = 616
    }

    var code: Code
    var data: [UInt8] = []
    /// How long the reader takes for it.
    var delay = Duration.zero

    init(_ code: Code, _ data: [UInt8] = [], delay: Duration = .zero) {
        (self.code, self.data, self.delay) = (code, data, delay)
    }

    /// As the driver reads it, in the byte order of the machine.
    var bytes: [UInt8] {
        [code.rawValue, UInt32(data.count)].flatMap { value in withUnsafeBytes(of: value) { Array($0) } } + data
    }
}
