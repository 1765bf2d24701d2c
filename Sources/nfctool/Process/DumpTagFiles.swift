// virtual:FILE in every format of dumps — Docs/VirtualReader.md

import Chips
import TagImage
import VirtualPN532

/// Dump files as tags of virtual readers.
enum DumpTagFiles {
    /// The endings of dump files besides Flipper's.
    private static let endings = ["bin", "mfd", "dump", "json", "eml", "mct", "hex"]

    /// Lets virtual readers have tags of such files.
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
            // Mere memory does not say what the chip answers.
            if image.version.isEmpty, case .type2(let chip?) = image.kind { image.version = chip.sampleVersion ?? [] }
            return String(decoding: try image.bytes(.nfc), as: UTF8.self)
        } catch {
            throw TagFileFormat.Failure(error.description)
        }
    }

    /// The tag in the format of its file's name, unless that loses what the file holds besides the memory.
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
