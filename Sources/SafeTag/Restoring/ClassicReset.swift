// The factory state of a MIFARE Classic: zeros as data, FF keys, transport bits — NXP MF1S50yyX, Memory Organization

public import ReaderSession
import TagImage
import TagTypes

extension TagImage {
    /// The factory sector trailer: keys of FF bytes, access bits FF 07 80, and general purpose byte 69.
    private static let transportTrailer =
        [UInt8](repeating: 0xFF, count: 6) + [0xFF, 0x07, 0x80, 0x69] + [UInt8](repeating: 0xFF, count: 6)

    /// Returns the factory state of the same card, or nil for other tags.
    ///
    /// Block 0, which belongs to the manufacturer, and blocked sectors are left out.
    func factoryState(without blocked: [Int]) -> TagImage? {
        guard kind.isClassic else { return nil }
        var image = self
        let key = [UInt8](repeating: 0xFF, count: 6)
        for index in blocks.indices {
            let number = blocks[index].number
            if number == 0 || blocked.contains(Kind.classicSector(of: number)) {
                image.blocks[index].bytes = nil
            } else if Kind.isClassicTrailer(number) {
                image.blocks[index].bytes = Self.transportTrailer
                image.keys[Kind.classicSector(of: number)] = SectorKeys(a: key, b: key)
            } else {
                image.blocks[index].bytes = [UInt8](repeating: 0, count: kind.blockLength)
            }
        }
        return image
    }
}

/// Restores a MIFARE Classic to its factory state.
///
/// A reset works like a restore of a dump with that state: the old content and keys of the card are kept on disk until
/// the end, and nothing is written until every sector is known to allow it. After an interruption, the same command or
/// a restore of the kept content repairs the card.
public struct ClassicReset: Sendable {
    private let session: TagSession

    /// Prepares a reset.
    ///
    /// Nothing happens yet.
    public init(in session: TagSession) { self.session = session }

    /// Resets a card after asking for confirmation.
    ///
    /// Sectors that invalid access bits block permanently stay as they are.
    ///
    /// - Returns: the card with its current connection, whether anything had to be written, and the blocked sectors.
    /// - Throws: `TagError.unsupported(reason:)` for other tags; the errors that a restore throws.
    public func run(on detected: DetectedTag) async throws -> (tag: ConnectedTag, didWrite: Bool, blocked: [Int]) {
        let tag = try await session.connect(to: detected)
        guard TagDetection.tagType(of: tag.target).type == .mifareClassic else {
            throw TagError.unsupported(reason: "only a MIFARE Classic can get its factory keys back")
        }
        let (image, memory) = try await tag.image()
        let blocked = memory.sectors.filter(\.isBlocked).map(\.number)
        guard let state = image.factoryState(without: blocked) else {
            throw TagError.unsupported(reason: "the size of this MIFARE Classic is not known")
        }
        let restore = Restore(state, [.configuration], from: "-", in: session, isReset: true)
        let (restored, result) = try await restore.run(on: detected)
        guard case .blocks(let plan, _, _) = result else { return (restored, false, blocked) }
        return (restored, !plan.writes.isEmpty, blocked)
    }
}
