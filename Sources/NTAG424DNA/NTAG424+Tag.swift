// Procedures on the tag of a session. They check its chip, are repeated after noise, and leave the tag usable

package import TagTypes

extension NTAG424 {
    /// Runs a procedure on a tag.
    ///
    /// After noise, the tag is activated again and the procedure is repeated from its beginning. The procedure must
    /// therefore check the tag's current state first.
    ///
    /// - Parameters:
    ///   - name: the name of the procedure, for the error if the tag gives no reliable answer.
    ///   - tag: a tag of any type.
    ///   - procedure: receives the chip with its application selected.
    /// - Returns: what the procedure returns.
    /// - Throws: `TagError.unsupported` if the tag is not an NTAG 424 DNA; what the procedure throws.
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
