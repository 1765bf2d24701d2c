// The commands of a FeliCa Standard card in Mode 0 — Sony, FeliCa Card User's Manual, "Commands"

/// A FeliCa Standard card with one or more systems, without authentication.
///
/// The card always stays in Mode 0. Each system has its own IDm. The IDms differ only in the system number, which is
/// the upper four bits of the first byte.
struct FeliCaStandardCard: Sendable {
    /// The maximum number of services in a Read or Write Without Encryption command, and that of nodes in Request
    /// Service.
    private static let (mostServices, mostNodes) = (16, 32)
    /// The maximum numbers of blocks in a read command and in a write command.
    ///
    /// The limits of a real card depend on the product.
    static let (mostRead, mostWritten) = (12, 8)
    private static let maximumSystems = 16
    private static let (noKey, noNode): (UInt16, UInt16) = (0xFFFF, 0xFFFF)
    private static let mode0: UInt8 = 0x00

    /// The IDm and PMm of each system, in the order of the systems.
    let identities: [FeliCaIdentity]
    let specification: FeliCaSpecification
    private(set) var systems: [FeliCaSystem]
    private(set) var generation = 0
    private var noise: TearNoise

    /// Creates a card.
    ///
    /// `idm` is the IDm of system 0. The IDms of the other systems are derived from it.
    init(idm: [UInt8], pmm: [UInt8], specification: FeliCaSpecification, systems: [FeliCaSystem]) {
        precondition((1...Self.maximumSystems).contains(systems.count), "A card has 1 to 16 systems")
        identities = systems.indices.map { number in
            let first = idm[0] ^ UInt8(truncatingIfNeeded: number << 4)
            return FeliCaIdentity(idm: [first] + idm.dropFirst(), pmm: pmm)
        }
        (self.specification, self.systems) = (specification, systems)
        noise = TearNoise(seed: idm)
    }

    /// Changes the systems regardless of access conditions, as in the factory.
    mutating func change(_ body: (inout [FeliCaSystem]) -> Void) {
        let old = systems
        body(&systems)
        if systems != old { generation += 1 }
    }

    /// Returns the index of the system whose IDm is in a command, or nil if there is none.
    private func system(of command: FeliCaCommand?) -> Int? {
        guard let idm = command?.idm else { return nil }
        return identities.firstIndex { $0.idm == idm }
    }

    func isCommand(_ frame: [UInt8]) -> Bool { system(of: FeliCaCommand(frame)) != nil }

    mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
        let command = FeliCaCommand(frame)
        if case .polling(let systemCode, let request, let lastSlot) = command {
            return poll(systemCode, request, lastSlot: lastSlot)
        }
        guard let command, let number = system(of: command) else { return TagReply(.silence) }
        let identity = identities[number]
        switch command {
        case .polling:
            return TagReply(.silence)
        case .requestService(_, let nodes):
            return requestService(nodes, systems[number], identity)
        case .requestServiceV2(_, let nodes):
            return requestServiceV2(nodes, systems[number], identity)
        case .searchServiceCode(_, let index):
            let nodes = systems[number].nodes
            let found = nodes.indices.contains(index) ? nodes[index] : [Self.noNode]
            return identity.reply(
                .searchServiceCode, found.flatMap(\.littleEndianBytes), identity.responseTime(of: .fixed))
        case .request(let request, _):
            return answer(request, identity)
        case .read(_, let services, let blocks):
            return read(services, blocks, systems[number], identity)
        case .write(_, let services, let blocks, let data):
            return write(services, blocks, data, number, isPowerFailing: isPowerFailing)
        }
    }

    // MARK: Polling and requests

    /// Answers a Polling.
    ///
    /// If several systems match, the first of them answers.
    private func poll(_ wanted: [UInt8], _ request: UInt8, lastSlot: UInt8) -> TagReply {
        for (identity, system) in zip(identities, systems) {
            let code = system.code.bigEndianBytes
            guard FeliCaIdentity.matches(code, wanted) else { continue }
            return identity.polled(code, request, lastSlot: lastSlot)
        }
        return TagReply(.silence)
    }

    private func answer(_ request: FeliCaCommand.Request, _ identity: FeliCaIdentity) -> TagReply {
        let delay = identity.responseTime(of: .fixed)
        switch request {
        case .response:
            return identity.reply(.requestResponse, [Self.mode0], delay)
        case .systemCode:
            let codes = systems.flatMap { $0.code.bigEndianBytes }
            return identity.reply(.requestSystemCode, [UInt8(systems.count)] + codes, delay)
        case .specificationVersion:
            return identity.reply(.requestSpecificationVersion, FeliCaIdentity.success + specification.bytes, delay)
        case .resetMode:
            return identity.reply(.resetMode, FeliCaIdentity.success, delay)
        }
    }

    // MARK: Request Service

    private func requestService(_ nodes: [UInt16], _ system: FeliCaSystem, _ identity: FeliCaIdentity) -> TagReply {
        // The answer has no status flags, so the card refuses the command with silence.
        guard (1...Self.mostNodes).contains(nodes.count) else { return TagReply(.silence) }
        let versions = nodes.map { system.keyVersions[$0].map(specification.version) ?? Self.noKey }
        return identity.reply(
            .requestService, [UInt8(nodes.count)] + versions.flatMap(\.littleEndianBytes),
            identity.responseTime(of: .requestService, nodes.count))
    }

    private func requestServiceV2(_ nodes: [UInt16], _ system: FeliCaSystem, _ identity: FeliCaIdentity) -> TagReply {
        let delay = identity.responseTime(of: .requestService, nodes.count)
        guard (1...Self.mostNodes).contains(nodes.count) else {
            return identity.reply(.requestServiceV2, FeliCaStatus.numberOfServices.flags, delay)
        }
        let versions = nodes.map { system.keyVersions[$0] }
        var lists = versions.flatMap { ($0?.aes ?? Self.noKey).littleEndianBytes }
        if specification.encryption == .aesAndDES {
            lists += versions.flatMap { ($0?.des ?? Self.noKey).littleEndianBytes }
        }
        let head = FeliCaIdentity.success + [specification.encryption.rawValue, UInt8(nodes.count)]
        return identity.reply(.requestServiceV2, head + lists, delay)
    }

    // MARK: Read and Write Without Encryption

    private func read(
        _ services: [UInt16], _ blocks: [FeliCaBlockElement], _ system: FeliCaSystem, _ identity: FeliCaIdentity
    ) -> TagReply {
        let delay = identity.responseTime(of: .read, blocks.count)
        do throws(FeliCaStatus) {
            try Self.check(services, blocks, most: Self.mostRead)
            var data: [UInt8] = []
            for (index, block) in blocks.enumerated() {
                let content = system[service: try Self.service(of: block, at: index, services, system).code]
                guard block.number < content.count else { throw .listed(index, .blockNumber) }
                data += content[block.number]
            }
            return identity.reply(.read, FeliCaIdentity.success + [UInt8(blocks.count)] + data, delay)
        } catch {
            return identity.reply(.read, error.flags, delay)
        }
    }

    /// Writes the blocks in a command.
    ///
    /// If power fails, either all blocks are written or none.
    private mutating func write(
        _ services: [UInt16], _ blocks: [FeliCaBlockElement], _ data: [UInt8], _ number: Int, isPowerFailing: Bool
    ) -> TagReply {
        let identity = identities[number]
        let delay = identity.responseTime(of: .write, blocks.count)
        var system = systems[number]
        do throws(FeliCaStatus) {
            try Self.check(services, blocks, most: Self.mostWritten)
            var cyclicWrites: [UInt16: Int] = [:]
            for (index, block) in blocks.enumerated() {
                let service = try Self.service(of: block, at: index, services, system)
                guard !service.isReadOnly else { throw .listed(index, .access) }
                let count = system[service: service.code].count
                guard block.number < (service.isCyclic ? min(count, 1) : count) else {
                    throw .listed(index, .blockNumber)
                }
                if service.isCyclic { cyclicWrites[service.number, default: 0] += 1 }
                guard cyclicWrites[service.number, default: 0] <= count else { throw .listed(index, .cyclicWrites) }
                let offset = FeliCaCommand.blockSize * index
                system.write(Array(data[offset..<offset + FeliCaCommand.blockSize]), to: block.number, of: service)
            }
        } catch {
            return identity.reply(.write, error.flags, delay)
        }
        if !isPowerFailing || Bool.random(using: &noise) { change { $0[number] = system } }
        return identity.reply(.write, FeliCaIdentity.success, delay)
    }

    private static func check(
        _ services: [UInt16], _ blocks: [FeliCaBlockElement], most: Int
    ) throws(FeliCaStatus) {
        guard (1...mostServices).contains(services.count) else { throw .numberOfServices }
        guard (1...most).contains(blocks.count) else { throw .numberOfBlocks }
    }

    /// Returns the service that an element of the block list selects.
    ///
    /// Throws the status if it requires authentication.
    private static func service(
        of block: FeliCaBlockElement, at index: Int, _ services: [UInt16], _ system: FeliCaSystem
    ) throws(FeliCaStatus) -> FeliCaService {
        guard Int(block.service) < services.count else { throw .listed(index, .serviceOrder) }
        guard block.accessMode == 0 else { throw .listed(index, .accessMode) }
        let service = FeliCaService(code: services[Int(block.service)])
        guard system.exists(service) else { throw .listed(index, .serviceCode) }
        guard service.isService, service.isFree else { throw .listed(index, .serviceType) }
        return service
    }
}
