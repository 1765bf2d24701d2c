// Calls from pcscd to a reader, as the driver forwards them — Sources/IFDHandler/include/IFDHandler.h

/// A call from pcscd to a reader.
enum IFDCall {
    case power(PowerAction)
    case transmit([UInt8])
    case control(UInt32, [UInt8])
    case presence
    case attribute(UInt32)

    /// The actions that IFDHPowerICC can request — <ifdhandler.h>.
    enum PowerAction: UInt32 {
        case up = 500
        case down = 501
        case reset = 502
    }

    /// Decodes a header and its data, or returns nil for an unknown call.
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

/// The reader's answer to a call.
struct IFDReply: Hashable {
    /// The response codes — <ifdhandler.h>.
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
    var delay = Duration.zero

    init(_ code: Code, _ data: [UInt8] = [], delay: Duration = .zero) {
        (self.code, self.data, self.delay) = (code, data, delay)
    }

    /// The reply as the driver expects it: code and data length in the machine's byte order, then the data.
    var bytes: [UInt8] {
        [code.rawValue, UInt32(data.count)].flatMap { value in withUnsafeBytes(of: value) { Array($0) } } + data
    }
}
