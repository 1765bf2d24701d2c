// The blocks and files that only one of two memories has, for example if the chips differ in size

import Hexadecimal
import SafeTag
import TagImage

/// The blocks and files that one memory has and another one does not.
///
/// An unreadable block does not count as missing: the memory has it, but its bytes are unknown.
struct SurplusBlocks: Sendable {
    private let name: String
    private let blocks: [Int]
    private let files: [UInt16]

    /// Finds the blocks and files that `other` does not have.
    ///
    /// - Parameters:
    ///   - image: the memory with these blocks and files.
    ///   - name: the name of this memory.
    ///   - other: the memory without them.
    init(of image: TagImage, _ name: String, beyond other: TagImage) {
        self.name = name
        blocks = Set(image.blocks.map(\.number)).subtracting(other.blocks.map(\.number)).sorted()
        files = Set(image.files.map(\.identifier)).subtracting(other.files.map(\.identifier)).sorted()
    }

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
