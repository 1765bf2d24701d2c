// Procedures on a tag of a session: recognised, repeated after noise, and the tag left as the next command expects it

package import TagTypes

extension NTAG424 {
    /// Runs a procedure on a tag, again from activation on after noise, so it must look at what the tag has first.
    ///
    /// - Parameters:
    ///   - name: of the procedure, for the error when the tag gives no reliable answer.
    ///   - tag: any tag.
    ///   - procedure: gets the chip with its application selected.
    /// - Returns: what the procedure returns.
    /// - Throws: `TagError.unsupported` where the tag is none; what the procedure throws.
    package static func perform<Value>(
        _ name: String, on tag: any ForumTag, _ procedure: (inout NTAG424) throws(TagError) -> Value
    ) throws(TagError) -> Value {
        guard let tag = tag as? Type4Tag, try tag.isNTAG424 else {
            throw .unsupported(reason: "it is not an NTAG 424 DNA")
        }
        return try tag.directly(name) { () throws(TagError) in
            var chip = NTAG424(over: tag.channel)
            try chip.select()
            return try procedure(&chip)
        }
    }
}
