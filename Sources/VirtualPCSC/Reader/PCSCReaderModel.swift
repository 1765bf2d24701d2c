// What tells one PC/SC reader from another: names, limits, technologies and dialects, as data

/// A model of PC/SC reader.
package struct PCSCReaderModel: Hashable, Sendable, CustomStringConvertible {
    /// A kind of tag that a reader may be able to talk to.
    package enum Technology: String, CaseIterable, Hashable, Sendable {
        case typeA, typeB, feliCa, iso15693, topaz
    }

    /// A way in which commands for a tag travel in APDUs.
    package enum Dialect: String, CaseIterable, Hashable, Sendable {
        /// `FF C2`, PC/SC part 3 amendment: frames as they are.
        case transparentSession
        /// `FF FB`, ACS: command and parameters of ISO 15693; the reader adds flags and takes them off.
        case passThrough
        /// `FF FC`, Identiv: ISO 15693 commands by their code.
        case identivCommands
        /// `FF FD`, Identiv "Traverse": a frame as it is.
        case identivTraverse
        /// `FF B0`, `FF D6`: PC/SC part 3, blocks of storage cards.
        case storageBlocks
        /// `FF 82`, `FF 86`: PC/SC part 3, keys of MIFARE Classic.
        case storageKeys
        /// `FF 00 00 00`: a command of the PN532, `D4 …`.
        case directTransmit
    }

    /// How `FF CA 00 00` gives the UID of an ISO 15693 tag.
    package enum UIDOrder: Hashable, Sendable {
        /// E0 first.
        case mostSignificantFirst
        /// As on the air: E0 last.
        case leastSignificantFirst
    }

    /// Where `FF B0` and `FF D6` have the block of an ISO 15693 tag.
    package enum BlockAddress: Hashable, Sendable {
        /// P1 high, P2 low: PC/SC part 3.
        case p1p2
        /// P1 alone, P2 is zero: Windows' own driver.
        case p1
    }

    /// The name on the command line.
    package let id: String
    /// The name on the command line.
    package var description: String { id }
    /// The name in the driver's Info.plist, with which PC/SC names begin.
    package let driverName: String
    /// iInterface of each CCID interface: the contactless one, and that of a slot for a SAM.
    package let interfaces: [String?]
    /// USB identifiers.
    package let vendor, product: UInt16
    /// The tags that it can talk to.
    package let technologies: Set<Technology>
    /// What it understands.
    package let dialects: Set<Dialect>
    /// dwMaxCCIDMessageLength.
    package let maximumMessage: Int
    /// Whether it takes extended APDUs.
    package var takesExtendedAPDU = true
    package var uidOrder = UIDOrder.mostSignificantFirst
    package var blockAddress = BlockAddress.p1p2
    /// How long a frame of a transparent session may take without a timer object of its own.
    package var exchangeTime = Duration.milliseconds(3)
    /// How long other ISO 15693 commands may take.
    package var commandTime = Duration.milliseconds(25)
    /// Most bytes of a tag's answer in a transparent session.
    package var maximumAnswer = 256
    /// Whether it sends the separate EOF that writes with the option flag wait for.
    package var sendsWriteEOF = true
    /// The key structures (P1) and numbers (P2) of `FF 82`.
    package var keyStructures: Set<UInt8> = [0x00, 0x20]
}
