// The values of the reader interface, encoded as bytes: targets, technologies and errors

import ReaderInterface

extension WireWriter {
    mutating func target(_ target: Target) {
        byte(target.technology.wireCode)
        switch target {
        case .nfcA(let target):
            list(target.sensRes)
            byte(target.selRes)
            list(target.nfcID1)
            list(target.ats)
        case .nfcB(let target):
            list(target.nfcID0)
            list(target.applicationData)
            list(target.protocolInfo)
        case .nfcF(let target):
            list(target.nfcID2)
            list(target.pad)
            list(target.systemCode)
        case .jewel(let target):
            list(target.sensRes)
            list(target.uid)
        case .nfcV(let target): list(target.uid)
        }
    }

    mutating func target(_ target: ListeningTarget) {
        list(target.sensRes)
        list(target.nfcID1Tail)
        byte(target.selRes)
        list(target.historicalBytes)
    }

    mutating func error(_ error: ReaderError) {
        switch error {
        case .noReader(let connection):
            byte(0)
            optional(connection)
        case .busy(let connection, let holder):
            byte(1)
            text(connection)
            optional(holder)
        case .noPermission(let connection, let path):
            byte(2)
            text(connection)
            text(path)
        case .readerFailed(let operation, let reason, let code, let fault):
            byte(3)
            text(operation)
            text(reason)
            number(UInt64(UInt32(bitPattern: code)))
            byte(fault.rawValue)
        // `notInFile` concerns only dump files, so no reader throws it.
        case .noAnswer, .notInFile: byte(4)
        case .tagLost: byte(5)
        case .commandTooLong(let length, let limit):
            byte(6)
            number(UInt64(max(0, length)))
            number(UInt64(max(0, limit)))
        case .aborted: byte(7)
        case .cannotListen(let connection, let reason):
            byte(8)
            text(connection)
            text(reason)
        case .initiatorLost: byte(9)
        case .cannotSend(let command, let reader, let technology, let flags):
            byte(10)
            byte(command)
            text(reader)
            text(technology?.rawValue ?? "")
            list(flags.map { [$0] } ?? [])
        }
    }
}

extension WireReader {
    mutating func listedReader() throws(Broken) -> ListedReader {
        let connection = try text()
        guard let use = ListedReader.Use(rawValue: try byte()) else { throw Broken() }
        let device = try list()
        guard device.isEmpty || device.count == 2 else { throw Broken() }
        return ListedReader(
            connection: connection, use: use,
            device: device.isEmpty ? nil : ListedReader.USBDevice(bus: device[0], number: device[1]))
    }

    mutating func target() throws(Broken) -> Target {
        switch try Technology(wireCode: try byte()) {
        case .nfcA:
            let sensRes = try list()
            let selRes = try byte()
            let nfcID1 = try list()
            return .nfcA(NFCATarget(sensRes: sensRes, selRes: selRes, nfcID1: nfcID1, ats: try list()))
        case .nfcB:
            let nfcID0 = try list()
            let applicationData = try list()
            return .nfcB(NFCBTarget(nfcID0: nfcID0, applicationData: applicationData, protocolInfo: try list()))
        case .nfcF:
            let nfcID2 = try list()
            let pad = try list()
            return .nfcF(NFCFTarget(nfcID2: nfcID2, pad: pad, systemCode: try list()))
        case .jewel:
            let sensRes = try list()
            return .jewel(JewelTarget(sensRes: sensRes, uid: try list()))
        case .nfcV: return .nfcV(NFCVTarget(uid: try list()))
        }
    }

    mutating func listeningTarget() throws(Broken) -> ListeningTarget {
        let sensRes = try list()
        let nfcID1Tail = try list()
        let selRes = try byte()
        return ListeningTarget(
            nfcID1Tail: nfcID1Tail, sensRes: sensRes, selRes: selRes, historicalBytes: try list())
    }

    mutating func error() throws(Broken) -> ReaderError {
        switch try byte() {
        case 0: return .noReader(connection: try optional())
        case 1:
            let connection = try text()
            return .busy(connection: connection, holder: try optional())
        case 2:
            let connection = try text()
            return .noPermission(connection: connection, path: try text())
        case 3:
            let operation = try text()
            let reason = try text()
            let code = Int32(bitPattern: UInt32(truncatingIfNeeded: try number()))
            guard let fault = ReaderFault(rawValue: try byte()) else { throw Broken() }
            return .readerFailed(operation: operation, reason: reason, code: code, fault: fault)
        case 4: return .noAnswer
        case 5: return .tagLost
        case 6:
            let (length, limit) = (try number(), try number())
            guard max(length, limit) <= UInt64(UInt32.max) else { throw Broken() }
            return .commandTooLong(length: Int(length), limit: Int(limit))
        case 7: return .aborted
        case 8:
            let connection = try text()
            return .cannotListen(connection: connection, reason: try text())
        case 9: return .initiatorLost
        case 10:
            let (command, reader, technology, flags) = (try byte(), try text(), try text(), try list())
            guard flags.count <= 1 else { throw Broken() }
            return .cannotSend(
                command: command, reader: reader, technology: Technology(rawValue: technology), flags: flags.first)
        default: throw Broken()
        }
    }
}

extension Technology {
    var wireCode: UInt8 {
        switch self {
        case .nfcA: 0
        case .nfcB: 1
        case .nfcF: 2
        case .jewel: 3
        case .nfcV: 4
        }
    }

    init(wireCode: UInt8) throws(WireReader.Broken) {
        guard let technology = Self.allCases.first(where: { $0.wireCode == wireCode }) else {
            throw WireReader.Broken()
        }
        self = technology
    }
}

extension Presence {
    var wireCode: UInt8 {
        switch self {
        case .continuous: 0
        case .renewed: 1
        case .absent: 2
        }
    }

    init(wireCode: UInt8) throws(WireReader.Broken) {
        switch wireCode {
        case 0: self = .continuous
        case 1: self = .renewed
        case 2: self = .absent
        default: throw WireReader.Broken()
        }
    }
}
