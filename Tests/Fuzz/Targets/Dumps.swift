// Dump files in every format, and the tags in them

import Chips
import Foundation
import SafeTag
import TagImage
import TagTypes

extension FuzzTarget {
    static let dumps: [FuzzTarget] =
        TagImage.Format.allCases.map(dump) + [
            FuzzTarget("dump-any", seeds: try TagImage.Format.allCases.flatMap(seeds)) { bytes in
                guard let image = try? TagImage(bytes, format: TagImage.Format(contents: bytes)) else { return }
                let tag = DumpedTag(image, file: "x")
                _ = try? tag.inspection()
                _ = try? tag.reading()
                _ = try? image.checkMemory()
            },
            FuzzTarget(
                "classic-keys",
                seeds: try [Array("FFFFFFFFFFFF # factory\nA0A1A2A3A4A5\n".utf8)] + seeds(.mct)
            ) { bytes in
                try InputFolder.withFile("keys", bytes) { path in
                    _ = try? ClassicKeyFile(path: path).add(to: ClassicKeyRing())
                }
                _ = ClassicKeyText.key(bytes)
            },
        ]

    private static func dump(_ format: TagImage.Format) -> FuzzTarget {
        FuzzTarget("dump-\(format.rawValue)", seeds: try seeds(format)) { bytes in
            guard let image = try? TagImage(bytes, format: format) else { return }
            try check(image)
        }
    }

    /// Checks that an image that was read can be written, and is the same when it is read again.
    private static func check(_ image: TagImage) throws {
        let again: TagImage
        do {
            again = try TagImage(image.bytes(.json), format: .json)
        } catch {
            throw Finding("the image cannot be written as JSON and read again: \(error)")
        }
        try require(again.blocks == image.blocks && again.files == image.files, "the memory differs after writing")
        for format in TagImage.Format.allCases {
            guard let bytes = try? image.bytes(format) else { continue }
            guard let other = try? TagImage(bytes, format: format) else {
                // A format that does not store the kind of tag may not identify it.
                guard format == .nfc || format == .json else { continue }
                throw Finding("the file written as \(format) cannot be read")
            }
            try require(other.blocks.count >= image.blocks.count, "blocks are missing after writing as \(format)")
        }
    }

    /// Returns an image of each kind, with a message if its place is known.
    static func images() -> [TagImage] {
        var images: [TagImage] = []
        for kind in ImageSeed.kinds { images.append(ImageSeed.image(kind)) }
        return images
    }

    private static func seeds(_ format: TagImage.Format) throws -> [[UInt8]] {
        images().compactMap { try? $0.bytes(format) }
    }
}
