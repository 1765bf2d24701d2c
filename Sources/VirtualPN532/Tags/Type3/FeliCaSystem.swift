// A system of a FeliCa Standard card — Sony, FeliCa Card User's Manual, "File system"

/// A service code: a number of 10 bits, and what may be done with the blocks of that number.
struct FeliCaService: Hashable, Sendable {
    /// Random and cyclic services; purses are not made here.
    private static let attributes: ClosedRange<UInt16> = 0x08...0x0F

    let code: UInt16

    private var attribute: UInt16 { code & 0x3F }
    /// Services of one number share their blocks: overlapped services.
    var number: UInt16 { code >> 6 }
    /// Not an area.
    var isService: Bool { Self.attributes.contains(attribute) }
    var isFree: Bool { attribute & 0x01 != 0 }
    var isReadOnly: Bool { attribute & 0x02 != 0 }
    var isCyclic: Bool { attribute & 0x04 != 0 }
}

/// A system: areas and services, their key versions and their blocks.
///
/// There are no keys: what a service that wants authentication holds can never be read.
public struct FeliCaSystem: Hashable, Sendable {
    /// The versions of a node's keys.
    public struct KeyVersions: Hashable, Sendable {
        /// Of the AES key.
        public var aes: UInt16
        /// Of the DES key.
        public var des: UInt16

        /// Makes a pair of versions.
        public init(aes: UInt16, des: UInt16) { (self.aes, self.des) = (aes, des) }
    }

    /// The node code by which the system itself is asked for.
    static let systemNode: UInt16 = 0xFFFF
    private static let rootArea: UInt16 = 0x0000
    private static let lastNode: UInt16 = 0xFFFE

    /// The system code.
    public let code: UInt16
    /// Of areas and services, by their codes, and of the system, `FFFF`.
    public var keyVersions: [UInt16: KeyVersions]
    /// Blocks by service number.
    private var blocks: [UInt16: [[UInt8]]] = [:]

    /// A system with the root area only.
    public init(code: UInt16, keyVersions: KeyVersions = KeyVersions(aes: 0x0001, des: 0x0002)) {
        self.code = code
        self.keyVersions = [Self.systemNode: keyVersions, Self.rootArea: keyVersions]
    }

    /// Registers services that share their blocks.
    /// - Parameters:
    ///   - services: random or cyclic service codes of one number: they differ in the low six bits, `08` to `0F`.
    ///   - content: blocks of sixteen bytes, of a cyclic service the newest first.
    ///   - keyVersions: the versions of the services' keys.
    public mutating func register(
        _ services: UInt16..., content: [[UInt8]], keyVersions: KeyVersions = KeyVersions(aes: 0x0003, des: 0x0004)
    ) {
        for service in services.map(FeliCaService.init) {
            precondition(service.isService, "Neither a random nor a cyclic service")
            precondition(content.allSatisfy { $0.count == FeliCaCommand.blockSize }, "A block has sixteen bytes")
            self.keyVersions[service.code] = keyVersions
            blocks[service.number] = content
        }
    }

    /// The blocks of a service; none where there is no such service.
    public subscript(service code: UInt16) -> [[UInt8]] {
        let service = FeliCaService(code: code)
        return exists(service) && service.isService ? blocks[service.number] ?? [] : []
    }

    /// Areas and services in the order of their codes, as Search Service Code tells them: an area with its last code.
    var nodes: [[UInt16]] {
        keyVersions.keys.sorted().filter { $0 != Self.systemNode }.map { code in
            FeliCaService(code: code).isService ? [code] : [code, Self.lastNode]
        }
    }

    func exists(_ service: FeliCaService) -> Bool { keyVersions[service.code] != nil }

    /// A block of sixteen bytes into a random service; in a cyclic one it takes the place of the oldest.
    mutating func write(_ data: [UInt8], to number: Int, of service: FeliCaService) {
        guard var content = blocks[service.number], content.indices.contains(number) else { return }
        if service.isCyclic {
            content = [data] + content.dropLast()
        } else {
            content[number] = data
        }
        blocks[service.number] = content
    }
}
