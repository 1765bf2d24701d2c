// NDEF on MIFARE Classic — NXP AN1304 and AN1305, NDEF Detection and Read Procedures; AN10787 (MAD)
import Chips
import Hexadecimal
public import ReaderInterface

/// A MIFARE Classic whose application directory assigns sectors to NDEF.
public final class ClassicTag: ForumTag {
    /// The NDEF sectors, or the reason why there are none.
    enum Area {
        /// A needed sector does not open, or a needed block cannot be read, because the key is not known.
        case closed(sector: Int, reason: String)
        case missing(reason: String)
        /// Sector 0 has no directory of a known version, or belongs to another application.
        case foreign(reason: String)
        case blank(reason: String)
        case present(ClassicArea)
    }

    /// The connection to the target.
    public let channel: any TagChannel
    let memory: ClassicMemory
    private let selRes: UInt8
    private var area: Area?
    /// Keys to try in addition to those for NDEF, or `nil` for none.
    public var keys: ClassicKeyRing? {
        get { memory.ring }
        set { memory.ring = newValue }
    }

    /// Creates a tag for an activated target.
    ///
    /// Nothing is sent to the target.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated tag.
    ///   - patience: how long commands are retried if the tag does not answer.
    public init(on channel: any TagChannel, patience: Patience = .standard) {
        self.channel = channel
        selRes = if case .nfcA(let target) = channel.target { target.selRes } else { 0x08 }
        memory = ClassicMemory(channel: channel, layout: ClassicLayout(selRes: selRes), patience: patience)
    }

    var layout: ClassicLayout { memory.layout }

    /// The kind of tag.
    public var type: TagType? { .mifareClassic }

    /// The chip according to SEL_RES, which shows only its size; ``inspectOrigin(block0:)`` can determine more.
    public var chip: Chip? {
        guard origin?.isMIFAREPlus ?? false else { return Chip(layout.model, evidence: [selRes]) }
        return Chip(
            name: "MIFARE Plus in security level 1 (as \(layout.model.name))", evidence: [selRes], model: layout.model)
    }

    /// The result of the latest ``inspectOrigin(block0:)``, or `nil` if there was none.
    var origin: ClassicOrigin?

    /// Runs the NDEF detection procedure.
    ///
    /// Reads the directory, the general purpose byte, and the TLV blocks up to the NDEF TLV.
    public func detect() throws(TagError) -> NDEFState {
        switch try detectedArea() {
        case .closed(_, let reason):
            var state = NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason)
            state.needsKey = true
            return state
        case .missing(let reason):
            return NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason)
        case .foreign(let reason):
            var state = NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: reason)
            state.hasForeignDirectory = true
            return state
        case .blank(let reason):
            let count = layout.applicationSectors.reduce(0) { $0 + layout.dataBlocks(of: $1).count }
            return NDEFState(
                status: .notSupported, capacity: TLVLayout.capacity(of: count * ClassicLayout.blockSize),
                messageLength: nil, isBlank: true, reason: reason)
        case .present(let area):
            let reason = try writeRefusal(area)
            return NDEFState(
                status: reason == nil ? .readWrite : .readOnly, capacity: area.tlvs.capacity,
                messageLength: area.ndef.length, reason: reason)
        }
    }

    /// Reads the NDEF message, which is the value of the NDEF TLV, sector by sector.
    public func readNDEF() throws(TagError) -> [UInt8] {
        let ndef = try presentArea().ndef
        var message: [UInt8] = []
        do throws(TagError) {
            for address in ndef.addresses.dropFirst(ndef.headLength).prefix(ndef.length) {
                message.append(try byte(at: address))
            }
        } catch .commandFailed(command: ClassicMemory.readName, offset: let offset?, sw: nil) {
            let block = offset / ClassicLayout.blockSize
            guard isReadableByNoKey(block) else { throw .keyNeeded(sector: layout.sector(of: block)) }
            throw .notNDEF(reason: closedReason(block))
        } catch .sectorBlocked(let sector) {
            throw .notNDEF(reason: TagError.blockedReason(sector))
        }
        return message
    }

    /// Returns the NDEF sectors, or throws the error that explains why there are none.
    func presentArea() throws(TagError) -> ClassicArea {
        switch try detectedArea() {
        case .closed(let sector, _): throw .keyNeeded(sector: sector)
        case .missing(let reason), .blank(let reason): throw .notNDEF(reason: reason)
        case .foreign(let reason): throw .notNDEF(reason: reason, hasForeignDirectory: true)
        case .present(let area): return area
        }
    }

    func detectedArea() throws(TagError) -> Area {
        if let area { return area }
        let found = try detectArea()
        area = found
        return found
    }

    /// Forgets the parsed area, so that it is parsed again when needed.
    ///
    /// Cached blocks are kept.
    func forgetArea() { area = nil }

    private func detectArea() throws(TagError) -> Area {
        do throws(TagError) {
            return try searchArea()
        } catch .commandFailed(command: ClassicMemory.readName, offset: let offset?, sw: nil) {
            let block = offset / ClassicLayout.blockSize
            guard isReadableByNoKey(block) else {
                return .closed(
                    sector: layout.sector(of: block),
                    reason: "block \(block) can be read only with key B, which is not known")
            }
            return .missing(reason: closedReason(block))
        } catch .sectorBlocked(let sector) {
            return .missing(reason: TagError.blockedReason(sector))
        }
    }

    /// Whether the access bits let no key read a block that the card refused to read.
    private func isReadableByNoKey(_ block: Int) -> Bool {
        let trailer = memory.cached(layout.trailer(of: layout.sector(of: block))).flatMap { ClassicTrailer($0) }
        return trailer?.access.keys(.read, .data(layout.accessGroup(of: block))).isEmpty ?? false
    }

    private func closedReason(_ block: Int) -> String {
        "the access bits of sector \(layout.sector(of: block)) let no key read block \(block)"
    }

    private func searchArea() throws(TagError) -> Area {
        guard let key = try memory.openWithAnyKey(0, [.directory, .factory]) else {
            let tried =
                memory.further(0).isEmpty
                ? "neither with the MAD key nor with the factory key" : "with none of the keys"
            return .closed(sector: 0, reason: "sector 0 opens \(tried)")
        }
        let trailer = try memory.trailer(of: 0)
        if key == .factory { return try areaWithoutDirectory(trailer) }
        if key == .factoryB, try isDirectoryUnfinished(trailer), try holdsEmptyMessage(), try isKeyATorn(0) {
            return .blank(reason: "key A of sector 0 is not the MAD key")
        }
        let version = ClassicDirectory.version(trailer.generalPurpose)
        guard 1...2 ~= version else {
            return .foreign(
                reason: "it has no MIFARE application directory of a known version "
                    + "(general purpose byte \(trailer.generalPurpose.hex))")
        }
        let sectors = try directory(version).contiguousNDEFSectors(layout)
        guard let first = sectors.first else {
            return .missing(reason: "its MIFARE application directory assigns no sector to NDEF")
        }
        guard try memory.openWithAnyKey(first, [.ndef]) != nil else {
            let tried = memory.further(first).isEmpty ? "the NDEF key" : "any of the keys"
            return .closed(sector: first, reason: "sector \(first) does not open with \(tried)")
        }
        return try area(of: sectors, trailer: try memory.trailer(of: first))
    }

    private func directory(_ version: Int) throws(TagError) -> ClassicDirectory {
        let first = try memory.block(1) + memory.block(2)
        guard version == 2, layout.directorySectors.count == 2 else { return try ClassicDirectory(first, second: nil) }
        var second: [UInt8] = []
        for block in layout.dataBlocks(of: ClassicLayout.secondDirectorySector) { second += try memory.block(block) }
        return try ClassicDirectory(first, second: second)
    }

    private func area(of sectors: [Int], trailer: ClassicTrailer) throws(TagError) -> Area {
        let access = ClassicTrailer.NDEFAccess(byte: trailer.generalPurpose)
        guard access.majorVersion == 1 else {
            return .missing(
                reason: "its mapping version is \(access.majorVersion); only 1 is supported")
        }
        guard access.readAccess == 0 else {
            return .missing(
                reason: "its NDEF sectors do not allow unrestricted reading (general purpose byte \(access.byte.hex))")
        }
        let first = layout.blocks(of: sectors[0]).lowerBound * ClassicLayout.blockSize
        let end = layout.blocks(of: sectors[sectors.count - 1]).upperBound * ClassicLayout.blockSize
        let tlvs = try TLVLayout(
            area: first..<end, memoryEnd: end, reserved: reserved(sectors), unit: ClassicLayout.blockSize
        ) { (address) throws(TagError) in try byte(at: address) }
        guard let ndef = tlvs.ndef else { return .missing(reason: "its NDEF sectors hold no NDEF TLV") }
        return .present(ClassicArea(sectors: sectors, firstTrailer: trailer, tlvs: tlvs, ndef: ndef))
    }

    /// Returns the byte ranges that hold no NDEF data: the trailers of the NDEF sectors, and the second directory
    /// sector.
    private func reserved(_ sectors: [Int]) -> [Range<Int>] {
        let trailers = sectors.map { layout.trailer(of: $0)..<layout.trailer(of: $0) + 1 }
        let blocks = trailers + [layout.blocks(of: ClassicLayout.secondDirectorySector)]
        return blocks.map { $0.lowerBound * ClassicLayout.blockSize..<$0.upperBound * ClassicLayout.blockSize }
    }

    /// Returns the area of a card whose sector 0 opens with the factory key.
    ///
    /// The area is blank if sector 0 is in the factory state, or in a state in which an interrupted ``initialise()``
    /// left it.
    private func areaWithoutDirectory(_ trailer: ClassicTrailer) throws(TagError) -> Area {
        let reason = "it has no MIFARE application directory"
        guard try holdsNoOtherDirectory() else { return .missing(reason: "\(reason), and sector 0 holds other data") }
        if trailer.access.trailer == .transport { return .blank(reason: reason) }
        return try isDirectoryUnfinished(trailer) ? .blank(reason: reason) : .missing(reason: reason)
    }

    private func byte(at address: Int) throws(TagError) -> UInt8 {
        try memory.block(address / ClassicLayout.blockSize)[address % ClassicLayout.blockSize]
    }
}

/// The sectors of the NDEF application, and their layout.
struct ClassicArea: Hashable, Sendable {
    let sectors: [Int]
    /// The trailer of the first sector, whose general purpose byte applies to all sectors.
    let firstTrailer: ClassicTrailer
    /// The layout of the data area.
    ///
    /// Byte addresses are counted from the start of the memory, and trailers are reserved.
    let tlvs: TLVLayout
    let ndef: TLVLayout.NDEFTLV

    /// The space for a message, including its TLV.
    var room: TLVLayout.NDEFTLV { tlvs.room ?? ndef }

    /// The reason why the NDEF sectors do not allow unrestricted writing, or `nil` if they do.
    var writeRefusal: String? {
        if let reason = tlvs.unsoundControls.first { return reason }
        let access = ClassicTrailer.NDEFAccess(byte: firstTrailer.generalPurpose)
        // The value 0 means free access. For a proprietary value, the access bits and the keys determine the access.
        guard access.writeAccess != 0, !access.isWritingByKey else { return nil }
        return "its NDEF sectors do not allow unrestricted writing (general purpose byte \(access.byte.hex))"
    }
}
