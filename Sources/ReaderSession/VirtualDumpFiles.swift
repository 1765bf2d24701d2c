// Dumps in all formats as tags of virtual:FILE — Docs/VirtualReader.md

#if Virtual
    import Chips
    import TagImage
    import VirtualPN532

    /// Uses dump files as the tags of virtual readers.
    package enum VirtualDumpFiles {
        /// The file name extensions of dumps other than Flipper's.
        private static let endings = ["bin", "mfd", "dump", "json", "eml", "mct", "hex"]

        /// Registers the formats with virtual readers.
        ///
        /// Only the first call has an effect.
        package static func register() { registered }

        private static let registered: Void = TagFileFormat.register(
            endings.map { ending in
                TagFileFormat(
                    ending: ending, flipperText: { bytes throws(TagFileFormat.Failure) in try flipperText(bytes) },
                    bytes: { text, old throws(TagFileFormat.Failure) in try bytes(text, instead: old, ending) })
            })

        private static func flipperText(_ bytes: [UInt8]) throws(TagFileFormat.Failure) -> String {
            do throws(TagImageError) {
                var image = try TagImage(bytes, format: TagImage.Format(contents: bytes))
                // A dump that contains only the memory has no answer to GET_VERSION. Use the chip's usual answer.
                if image.version.isEmpty, case .type2(let chip?) = image.kind {
                    image.version = chip.sampleVersion ?? []
                }
                return try image.virtualTagText()
            } catch {
                throw TagFileFormat.Failure(error.description)
            }
        }

        /// Converts the tag to the format of its file.
        ///
        /// Throws an error if other data in the file would be lost.
        private static func bytes(
            _ text: String, instead old: [UInt8], _ ending: String
        ) throws(TagFileFormat.Failure) -> [UInt8] {
            do throws(TagImageError) {
                let format = TagImage.Format(fileName: "." + ending) ?? .json
                let written = try TagImage(Array(text.utf8), format: .nfc).bytes(format)
                guard !old.isEmpty else { return written }
                let before = try TagImage(old, format: TagImage.Format(contents: old))
                let after = try TagImage(written, format: format)
                if let part = before.part(missingIn: after) {
                    throw TagImageError.notExpressible(format, reason: "the \(part) in the file would be lost")
                }
                return written
            } catch {
                throw TagFileFormat.Failure(error.description)
            }
        }
    }

    extension TagImage {
        /// Returns the part of this image that another image of the same tag lacks, apart from its memory.
        ///
        /// Nil if it lacks nothing. Counters may have increased, but everything else must stay the same.
        fileprivate func part(missingIn other: TagImage) -> String? {
            let parts: [(name: String, isLost: Bool)] = [
                ("kind of tag", kind != other.kind), ("signature", !signature.isEmpty && signature != other.signature),
                ("answer to GET_VERSION", !version.isEmpty && version != other.version),
                ("counters", !counters.isEmpty && other.counters.isEmpty),
                ("keys", !keys.isEmpty && other.keys.isEmpty),
                ("PMm", !parameter.isEmpty && parameter != other.parameter),
                ("ATS", !ats.isEmpty && ats != other.ats),
            ]
            return parts.first(where: \.isLost)?.name
        }
    }
#endif
