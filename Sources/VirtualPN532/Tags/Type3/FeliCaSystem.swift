// A system of a FeliCa Standard card — Sony, FeliCa Card User's Manual, "File system"

/// A service code: a 10-bit service number, and the operations that are permitted on the service's blocks.
struct FeliCaService: Hashable, Sendable {
    /// The attributes of random and cyclic services.
    ///
    /// Purse services are not simulated.
    private static let attributes: ClosedRange<UInt16> = 0x08...0x0F

    let code: UInt16

    private var attribute: UInt16 { code & 0x3F }
    /// The service number.
    ///
    /// Services with the same number share their blocks (overlapped services).
    var number: UInt16 { code >> 6 }
    /// Whether the code belongs to a random or cyclic service.
    ///
    /// The result is false for area codes and purse services.
    var isService: Bool { Self.attributes.contains(attribute) }
    var isFree: Bool { attribute & 0x01 != 0 }
    var isReadOnly: Bool { attribute & 0x02 != 0 }
    var isCyclic: Bool { attribute & 0x04 != 0 }
}

/// A system on a FeliCa Standard card: its areas and services, their key versions, and the services' blocks.
///
/// The simulation has no keys, so the content of a service that requires authentication can never be read.
public struct FeliCaSystem: Hashable, Sendable {
    /// The key versions of an area, a service or the system.
    public struct KeyVersions: Hashable, Sendable {
        /// The version of the AES key.
        public var aes: UInt16
        /// The version of the DES key.
        public var des: UInt16

        /// Creates a pair of versions.
        public init(aes: UInt16, des: UInt16) { (self.aes, self.des) = (aes, des) }
    }

    static let systemNode: UInt16 = 0xFFFF
    private static let rootArea: UInt16 = 0x0000
    private static let lastNode: UInt16 = 0xFFFE

    /// The system code.
    public let code: UInt16
    /// The key versions of areas and services by their codes, and those of the system under the code `FFFF`.
    public var keyVersions: [UInt16: KeyVersions]
    /// The blocks of each service, 16 bytes each, by service number.
    private var blocks: [UInt16: [[UInt8]]] = [:]

    /// Creates a system that contains only the root area.
    public init(code: UInt16, keyVersions: KeyVersions = KeyVersions(aes: 0x0001, des: 0x0002)) {
        self.code = code
        self.keyVersions = [Self.systemNode: keyVersions, Self.rootArea: keyVersions]
    }

    /// Registers services that share their blocks.
    /// - Parameters:
    ///   - services: random or cyclic service codes with the same number. They differ only in the low six bits, `08` to
    ///     `0F`.
    ///   - content: blocks of 16 bytes. For a cyclic service, the newest block is first.
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

    /// The blocks of a service, 16 bytes each.
    ///
    /// The array is empty if there is no such service.
    public subscript(service code: UInt16) -> [[UInt8]] {
        let service = FeliCaService(code: code)
        return exists(service) && service.isService ? blocks[service.number] ?? [] : []
    }

    /// The areas and services in the order of their codes, as Search Service Code returns them.
    ///
    /// The entry for a service is its code. The entry for an area also contains the last code that the area may
    /// contain.
    var nodes: [[UInt16]] {
        keyVersions.keys.sorted().filter { $0 != Self.systemNode }.map { code in
            FeliCaService(code: code).isService ? [code] : [code, Self.lastNode]
        }
    }

    func exists(_ service: FeliCaService) -> Bool { keyVersions[service.code] != nil }

    /// Writes a 16-byte block to a service.
    ///
    /// In a cyclic service, the new block replaces the oldest one.
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
