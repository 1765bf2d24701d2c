// The requests to the process that holds the reader

import ReaderInterface

/// A call of `Reader` or `TagChannel`, or a request that precedes such calls.
enum ReaderRequest: Hashable {
    /// Asks for the version of the program that holds the reader.
    ///
    /// This is the first request if the version may differ.
    case version
    /// Asks for the connection strings of the available readers.
    case list
    /// Asks for the readers of the smart-card daemon pcscd, which this request may start.
    case listSmartCardReaders
    /// Asks for the names of pcscd's readers when they differ from the known ones, or when the time has passed.
    case watchSmartCardReaders([String]?, timeout: Duration)
    /// Opens a reader.
    ///
    /// Only requests for the version or for lists of readers may precede it.
    case open(connection: String)
    case poll([Technology], settled: Set<[UInt8]>?)
    case connect(Target)
    case powerUp(Target)
    case presence
    case transceive([UInt8], Framing, timeout: Duration)
    case exchangeFrame([UInt8], timeout: Duration)
    case exchangeShortFrame(UInt8, timeout: Duration)
    case carries([UInt8], Framing)
    case hidesRefusal([UInt8])
    case reselect
    case signal(Signal)
    case requireListening
    case listen(ListeningTarget, timeout: Duration)
    case receiveCommand(timeout: Duration)
    case sendResponse([UInt8])
    case close
    /// Ends the running request.
    ///
    /// It is the only request without a reply, and the only one that is sent out of order.
    case abort

    /// The time after which a process that has not replied counts as stuck.
    ///
    /// libnfc's own time-outs are shorter. They end most calls on an unresponsive reader within a second.
    var deadline: Duration {
        switch self {
        // The program has to start first, on a machine that may be busy.
        case .version: .seconds(3)
        // libnfc may probe serial ports if its configuration allows it.
        case .list: .seconds(10)
        // pcscd may have to start first, and examines every reader.
        case .listSmartCardReaders: .seconds(5)
        case .watchSmartCardReaders(_, let timeout): timeout + .seconds(5)
        case .open: .milliseconds(2_800)
        case .transceive(_, _, let timeout), .exchangeFrame(_, let timeout), .exchangeShortFrame(_, let timeout):
            timeout + .seconds(2)
        case .listen(_, let timeout), .receiveCommand(let timeout): timeout + .seconds(2)
        case .requireListening, .sendResponse: .seconds(2)
        case .poll, .connect, .powerUp, .presence, .carries, .hidesRefusal, .reselect, .signal: .seconds(2)
        case .close, .abort: .seconds(1)
        }
    }
}

extension ReaderRequest {
    private enum Code: UInt8, CaseIterable {
        case list, open, poll, connect, powerUp, presence, transceive, exchangeFrame, reselect, signal, close, abort
        case requireListening, listen, receiveCommand, sendResponse, version, listSmartCardReaders, carries,
            watchSmartCardReaders, exchangeShortFrame, hidesRefusal
    }

    static var names: [String] { Code.allCases.map { "\($0)" } }

    var encoded: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .version: writer.byte(Code.version.rawValue)
        case .list: writer.byte(Code.list.rawValue)
        case .listSmartCardReaders: writer.byte(Code.listSmartCardReaders.rawValue)
        case .watchSmartCardReaders(let known, let timeout):
            writer.byte(Code.watchSmartCardReaders.rawValue)
            writer.byte(known == nil ? 0 : 1)
            writer.number(UInt64(known?.count ?? 0))
            for name in known ?? [] { writer.text(name) }
            writer.duration(timeout)
        case .open(let connection):
            writer.byte(Code.open.rawValue)
            writer.text(connection)
        case .poll(let technologies, let settled):
            writer.byte(Code.poll.rawValue)
            writer.list(technologies.map(\.wireCode))
            writer.byte(settled == nil ? 0 : 1)
            writer.number(UInt64(settled?.count ?? 0))
            for identifier in settled ?? [] { writer.list(identifier) }
        case .connect(let target):
            writer.byte(Code.connect.rawValue)
            writer.target(target)
        case .powerUp(let target):
            writer.byte(Code.powerUp.rawValue)
            writer.target(target)
        case .presence: writer.byte(Code.presence.rawValue)
        case .transceive(let command, let framing, let timeout):
            writer.byte(Code.transceive.rawValue)
            writer.list(command)
            writer.byte(framing == .handled ? 0 : 1)
            writer.duration(timeout)
        case .exchangeFrame(let command, let timeout):
            writer.byte(Code.exchangeFrame.rawValue)
            writer.list(command)
            writer.duration(timeout)
        case .exchangeShortFrame(let code, let timeout):
            writer.byte(Code.exchangeShortFrame.rawValue)
            writer.byte(code)
            writer.duration(timeout)
        case .carries(let command, let framing):
            writer.byte(Code.carries.rawValue)
            writer.list(command)
            writer.byte(framing == .handled ? 0 : 1)
        case .hidesRefusal(let command):
            writer.byte(Code.hidesRefusal.rawValue)
            writer.list(command)
        case .reselect: writer.byte(Code.reselect.rawValue)
        case .signal(let signal):
            writer.byte(Code.signal.rawValue)
            writer.text(signal.event.rawValue)
            writer.byte((signal.lights ? 1 : 0) | (signal.sounds ? 2 : 0))
        case .requireListening: writer.byte(Code.requireListening.rawValue)
        case .listen(let target, let timeout):
            writer.byte(Code.listen.rawValue)
            writer.target(target)
            writer.duration(timeout)
        case .receiveCommand(let timeout):
            writer.byte(Code.receiveCommand.rawValue)
            writer.duration(timeout)
        case .sendResponse(let response):
            writer.byte(Code.sendResponse.rawValue)
            writer.list(response)
        case .close: writer.byte(Code.close.rawValue)
        case .abort: writer.byte(Code.abort.rawValue)
        }
        return writer.bytes
    }

    /// Decodes a request.
    ///
    /// - Throws: ``WireReader/Broken`` for bytes that are not a request.
    init(decoding bytes: [UInt8]) throws(WireReader.Broken) {
        var reader = WireReader(bytes)
        guard let code = Code(rawValue: try reader.byte()) else { throw WireReader.Broken() }
        switch code {
        case .version: self = .version
        case .list: self = .list
        case .listSmartCardReaders: self = .listSmartCardReaders
        case .watchSmartCardReaders:
            let isKnown = try reader.byte() == 1
            var known: [String] = []
            for _ in 0..<(try reader.count()) { known.append(try reader.text()) }
            self = .watchSmartCardReaders(isKnown ? known : nil, timeout: try reader.duration())
        case .open: self = .open(connection: try reader.text())
        case .poll:
            var technologies: [Technology] = []
            for code in try reader.list() { technologies.append(try Technology(wireCode: code)) }
            let hasSettled = try reader.byte() == 1
            var settled: Set<[UInt8]> = []
            for _ in 0..<(try reader.count()) { settled.insert(try reader.list()) }
            self = .poll(technologies, settled: hasSettled ? settled : nil)
        case .connect: self = .connect(try reader.target())
        case .powerUp: self = .powerUp(try reader.target())
        case .presence: self = .presence
        case .transceive:
            let command = try reader.list()
            let framing: Framing = try reader.byte() == 0 ? .handled : .raw
            self = .transceive(command, framing, timeout: try reader.duration())
        case .exchangeFrame:
            let command = try reader.list()
            self = .exchangeFrame(command, timeout: try reader.duration())
        case .exchangeShortFrame:
            let code = try reader.byte()
            self = .exchangeShortFrame(code, timeout: try reader.duration())
        case .carries:
            let command = try reader.list()
            self = .carries(command, try reader.byte() == 0 ? .handled : .raw)
        case .hidesRefusal: self = .hidesRefusal(try reader.list())
        case .reselect: self = .reselect
        case .signal:
            guard let event = Signal.Event(rawValue: try reader.text()) else { throw WireReader.Broken() }
            let parts = try reader.byte()
            self = .signal(Signal(event, lights: parts & 1 != 0, sounds: parts & 2 != 0))
        case .requireListening: self = .requireListening
        case .listen:
            let target = try reader.listeningTarget()
            self = .listen(target, timeout: try reader.duration())
        case .receiveCommand: self = .receiveCommand(timeout: try reader.duration())
        case .sendResponse: self = .sendResponse(try reader.list())
        case .close: self = .close
        case .abort: self = .abort
        }
        try reader.end()
    }
}
