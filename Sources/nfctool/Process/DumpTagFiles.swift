// virtual:FILE with every dump format — Docs/VirtualReader.md

import Chips
import TagImage
import VirtualPN532

/// Makes dump files usable as tags of virtual readers.
enum DumpTagFiles {
    /// The file name extensions of dumps other than Flipper's.
    private static let endings = ["bin", "mfd", "dump", "json", "eml", "mct", "hex"]

    /// Registers the formats with virtual readers.
    static func register() {
        TagFileFormat.register(
            endings.map { ending in
                TagFileFormat(
                    ending: ending, flipperText: { bytes throws(TagFileFormat.Failure) in try flipperText(bytes) },
                    bytes: { text, old throws(TagFileFormat.Failure) in try bytes(text, instead: old, ending) })
            })
    }

    private static func flipperText(_ bytes: [UInt8]) throws(TagFileFormat.Failure) -> String {
        do throws(TagImageError) {
            var image = try TagImage(bytes, format: TagImage.Format(contents: bytes))
            // A dump that contains only the memory has no answer to GET_VERSION.
            if image.version.isEmpty, case .type2(let chip?) = image.kind { image.version = chip.sampleVersion ?? [] }
            return String(decoding: try image.bytes(.nfc), as: UTF8.self)
        } catch {
            throw TagFileFormat.Failure(error.description)
        }
    }

    /// Converts the tag to the format of its file, unless a signature in the file would be lost.
    private static func bytes(
        _ text: String, instead old: [UInt8], _ ending: String
    ) throws(TagFileFormat.Failure) -> [UInt8] {
        do throws(TagImageError) {
            let format = TagImage.Format(fileName: "." + ending) ?? .json
            let written = try TagImage(Array(text.utf8), format: .nfc).bytes(format)
            let before = old.isEmpty ? nil : try TagImage(old, format: TagImage.Format(contents: old))
            let after = try TagImage(written, format: format)
            guard before?.signature.isEmpty ?? true || before?.signature == after.signature else {
                throw TagImageError.notExpressible(format, reason: "the signature of the file would be lost")
            }
            return written
        } catch {
            throw TagFileFormat.Failure(error.description)
        }
    }
}
