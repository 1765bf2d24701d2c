// The blocks and files that only one of two memories has, as chips of different sizes do

import Hexadecimal
import SafeTag
import TagImage

/// The blocks and files of one memory that another one does not have.
///
/// A block that could not be read is not among them: the memory has it, but its bytes are not known.
struct SurplusBlocks: Sendable {
    private let name: String
    private let blocks: [Int]
    private let files: [UInt16]

    /// - Parameters:
    ///   - image: the memory that has them.
    ///   - name: the name of this memory.
    ///   - other: the memory that does not have them.
    init(of image: TagImage, _ name: String, beyond other: TagImage) {
        self.name = name
        blocks = Set(image.blocks.map(\.number)).subtracting(other.blocks.map(\.number)).sorted()
        files = Set(image.files.map(\.identifier)).subtracting(other.files.map(\.identifier)).sorted()
    }

    /// Whether a place is among them.
    func contains(_ place: TagImage.Difference.Place) -> Bool {
        switch place {
        case .block(let number): blocks.contains(number)
        case .file(let identifier): files.contains(identifier)
        }
    }

    /// A clause for the blocks and one for the files, if there are any.
    var clauses: [String] {
        let names = files.map(\.hex).joined(separator: ", ")
        return [
            blocks.isEmpty ? nil : "only \(name) has \(BlockList(blocks))",
            files.isEmpty ? nil : "only \(name) has file\(files.count == 1 ? "" : "s") \(names)",
        ].compactMap(\.self)
    }
}
