// Commands of FeliCa tags without authentication — JIS X 6319-4; Sony, FeliCa Card User's Manual

/// A command that a FeliCa tag may answer.
///
/// The lengths of the command's parts have been checked, but not their values.
enum FeliCaCommand: Hashable {
    /// Polling: system code with wildcards `FF`, request code, and the number of the last time slot, counted from 0.
    case polling(systemCode: [UInt8], request: UInt8, lastSlot: UInt8)
    case read(idm: [UInt8], services: [UInt16], blocks: [FeliCaBlockElement])
    /// Write Without Encryption, with 16 bytes of data for each block.
    case write(idm: [UInt8], services: [UInt16], blocks: [FeliCaBlockElement], data: [UInt8])
    /// Request Service: codes of areas and services, or `FFFF` for the system.
    case requestService(idm: [UInt8], nodes: [UInt16])
    /// Request Service v2, with the same parameters as Request Service.
    case requestServiceV2(idm: [UInt8], nodes: [UInt16])
    /// Search Service Code: the position of an area or service in the list of all areas and services.
    case searchServiceCode(idm: [UInt8], index: Int)
    /// Request Response, Request System Code, Request Specification Version or Reset Mode.
    case request(Request, idm: [UInt8])

    /// Commands that contain only the IDm and possibly reserved bytes.
    enum Request: UInt8 {
        case response = 0x04
        case systemCode = 0x0C
        case specificationVersion = 0x3C
        case resetMode = 0x3E

        /// The reserved bytes after the IDm, all zero.
        fileprivate var reserved: [UInt8] {
            switch self {
            case .response, .systemCode: []
            case .specificationVersion, .resetMode: [0x00, 0x00]
            }
        }
    }

    private enum Code {
        static let polling: UInt8 = 0x00
        static let requestService: UInt8 = 0x02
        static let read: UInt8 = 0x06
        static let write: UInt8 = 0x08
        static let searchServiceCode: UInt8 = 0x0A
        static let requestServiceV2: UInt8 = 0x32
    }

    static let idmSize = 8
    static let blockSize = 16

    /// Parses a frame, or returns nil if it is not a valid command of a known type.
    ///
    /// - Parameter frame: the length byte, the command code and the parameters.
    init?(_ frame: [UInt8]) {
        guard frame.count >= 2, frame.count == Int(frame[0]) else { return nil }
        var rest = frame.dropFirst(2)
        switch frame[1] {
        case Code.polling:
            guard rest.count == 4, let systemCode = rest.take(2), let options = rest.take(2) else { return nil }
            self = .polling(systemCode: systemCode, request: options[0], lastSlot: options[1])
        case Code.requestService, Code.requestServiceV2:
            guard let idm = rest.take(Self.idmSize), let nodes = Self.nodes(&rest), rest.isEmpty else { return nil }
            let isFirst = frame[1] == Code.requestService
            self = isFirst ? .requestService(idm: idm, nodes: nodes) : .requestServiceV2(idm: idm, nodes: nodes)
        case Code.searchServiceCode:
            guard let idm = rest.take(Self.idmSize), rest.count == 2, let index = rest.take(2) else { return nil }
            self = .searchServiceCode(idm: idm, index: Int(index[0]) | Int(index[1]) << 8)
        case Code.read, Code.write:
            guard let idm = rest.take(Self.idmSize), let services = Self.nodes(&rest),
                let blocks = Self.blocks(&rest)
            else { return nil }
            if frame[1] == Code.read {
                guard rest.isEmpty else { return nil }
                self = .read(idm: idm, services: services, blocks: blocks)
            } else {
                guard rest.count == Self.blockSize * blocks.count else { return nil }
                self = .write(idm: idm, services: services, blocks: blocks, data: Array(rest))
            }
        default:
            guard let request = Request(rawValue: frame[1]), let idm = rest.take(Self.idmSize),
                Array(rest) == request.reserved
            else { return nil }
            self = .request(request, idm: idm)
        }
    }

    /// The IDm of the tag that the command addresses; nil for Polling.
    var idm: [UInt8]? {
        switch self {
        case .polling: nil
        case .read(let idm, _, _), .write(let idm, _, _, _), .requestService(let idm, _),
            .requestServiceV2(let idm, _), .searchServiceCode(let idm, _), .request(_, let idm):
            idm
        }
    }

    /// Removes and returns a list of area and service codes.
    ///
    /// The list is a count, followed by the codes with the low byte first. Returns nil if the list is incomplete.
    private static func nodes(_ rest: inout ArraySlice<UInt8>) -> [UInt16]? {
        guard let count = rest.popFirst(), let bytes = rest.take(2 * Int(count)) else { return nil }
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
    }

    private static func blocks(_ rest: inout ArraySlice<UInt8>) -> [FeliCaBlockElement]? {
        guard let count = rest.popFirst() else { return nil }
        var blocks: [FeliCaBlockElement] = []
        for _ in 0..<count {
            guard let element = FeliCaBlockElement(&rest) else { return nil }
            blocks.append(element)
        }
        return blocks
    }
}

/// An element of a block list: two bytes, or three bytes if the block number has 16 bits (low byte first).
struct FeliCaBlockElement: Hashable {
    let accessMode: UInt8
    /// The position of the service in the command's list of services.
    let service: UInt8
    let number: Int

    private static let twoBytes: UInt8 = 0x80

    init?(_ rest: inout ArraySlice<UInt8>) {
        guard let head = rest.popFirst(), let low = rest.popFirst() else { return nil }
        (accessMode, service) = (head >> 4 & 0x07, head & 0x0F)
        if head & Self.twoBytes != 0 {
            number = Int(low)
        } else {
            guard let high = rest.popFirst() else { return nil }
            number = Int(high) << 8 | Int(low)
        }
    }
}

extension ArraySlice<UInt8> {
    /// Removes and returns the first bytes, or returns nil if there are fewer.
    fileprivate mutating func take(_ count: Int) -> [UInt8]? {
        guard self.count >= count else { return nil }
        defer { removeFirst(count) }
        return Array(prefix(count))
    }
}
