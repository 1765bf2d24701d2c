// The properties that distinguish PC/SC readers — names, limits, technologies and dialects, as data

/// A model of a PC/SC reader.
package struct PCSCReaderModel: Hashable, Sendable, CustomStringConvertible {
    /// A kind of tag that a reader may support.
    package enum Technology: String, CaseIterable, Hashable, Sendable {
        case typeA, typeB, feliCa, iso15693, topaz
    }

    /// A way of sending commands for a tag in APDUs.
    package enum Dialect: String, CaseIterable, Hashable, Sendable {
        /// `FF C2`, PC/SC part 3 amendment: raw frames.
        case transparentSession
        /// `FF FB`, ACS: command and parameters of ISO 15693.
        ///
        /// The reader adds and removes the flags.
        case passThrough
        /// `FF FC`, Identiv: ISO 15693 commands by code.
        case identivCommands
        /// `FF FD`, Identiv "Traverse": a raw frame.
        case identivTraverse
        /// `FF B0`, `FF D6`: PC/SC part 3, blocks of storage cards.
        case storageBlocks
        /// `FF 82`, `FF 86`: PC/SC part 3, keys of MIFARE Classic.
        case storageKeys
        /// `FF 00 00 00`: a command of the PN532, `D4 …`.
        case directTransmit
    }

    /// The byte order in which `FF CA 00 00` returns the UID of an ISO 15693 tag.
    package enum UIDOrder: Hashable, Sendable {
        /// E0 first.
        case mostSignificantFirst
        /// E0 last, as on the air.
        case leastSignificantFirst
    }

    /// The position of an ISO 15693 tag's block number in `FF B0` and `FF D6`.
    package enum BlockAddress: Hashable, Sendable {
        /// High byte in P1, low byte in P2: PC/SC part 3.
        case p1p2
        /// Only in P1, with P2 zero: Windows' own driver.
        case p1
    }

    /// The name on the command line.
    package let id: String
    /// The name on the command line.
    package var description: String { id }
    /// The name in the driver's Info.plist.
    ///
    /// PC/SC reader names start with it.
    package let driverName: String
    /// The iInterface string of each CCID interface: the contactless one, then the slot for a SAM if there is one.
    package let interfaces: [String?]
    /// The USB vendor and product IDs.
    package let vendor, product: UInt16
    /// The kinds of tag that the reader supports.
    package let technologies: Set<Technology>
    /// The dialects that the reader supports.
    package let dialects: Set<Dialect>
    /// dwMaxCCIDMessageLength.
    package let maximumMessage: Int
    /// Whether the reader accepts extended APDUs.
    package var takesExtendedAPDU = true
    package var uidOrder = UIDOrder.mostSignificantFirst
    package var blockAddress = BlockAddress.p1p2
    /// The time limit for a frame in a transparent session without a timer object.
    package var exchangeTime = Duration.milliseconds(3)
    /// The time limit for other ISO 15693 commands.
    package var commandTime = Duration.milliseconds(25)
    /// The maximum number of bytes of a tag's answer in a transparent session.
    package var maximumAnswer = 256
    /// Whether the reader sends the separate EOF that writes with the option flag require.
    package var sendsWriteEOF = true
    /// The key structures (P1) that `FF 82` accepts.
    package var keyStructures: Set<UInt8> = [0x00, 0x20]
}
