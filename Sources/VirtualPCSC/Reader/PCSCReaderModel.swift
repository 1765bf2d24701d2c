// The properties that distinguish models of PC/SC readers: names, limits, technologies and dialects

/// A model of a PC/SC reader.
package struct PCSCReaderModel: Hashable, Sendable, CustomStringConvertible {
    package enum Technology: String, CaseIterable, Hashable, Sendable {
        case typeA, typeB, feliCa, iso15693, topaz
    }

    /// A way to send commands for a tag in APDUs.
    package enum Dialect: String, CaseIterable, Hashable, Sendable {
        /// `FF C2`, PC/SC part 3 amendment 1: raw frames.
        case transparentSession
        /// `FF FB`, ACS: command and parameters of ISO 15693.
        ///
        /// The reader adds and removes the flags.
        case passThrough
        /// `FF FC`, Identiv: command and parameters of ISO 15693.
        case identivCommands
        /// `FF FD`, Identiv "Traverse": a raw frame.
        case identivTraverse
        /// `FF B0`, `FF D6`, PC/SC part 3: blocks of storage cards.
        case storageBlocks
        /// `FF 82`, `FF 86`, PC/SC part 3: keys of MIFARE Classic.
        case storageKeys
        /// `FF 00 00 00`, ACS: a command for the PN532, `D4 …`.
        case directTransmit
    }

    /// The byte order in which `FF CA 00 00` returns the UID of an ISO 15693 tag.
    package enum UIDOrder: Hashable, Sendable {
        /// The byte E0 is first.
        case mostSignificantFirst
        /// The byte E0 is last, as on the air.
        case leastSignificantFirst
    }

    /// Where `FF B0` and `FF D6` contain the block number for an ISO 15693 tag.
    package enum BlockAddress: Hashable, Sendable {
        /// The high byte is in P1 and the low byte in P2, according to PC/SC part 3.
        case p1p2
        /// The number is in P1, and P2 is zero, as in Windows' own driver.
        case p1
    }

    /// The name on the command line.
    package let id: String
    package var description: String { id }
    /// The name in the driver's Info.plist, with which PC/SC reader names start.
    package let driverName: String
    /// The iInterface string of each CCID interface, or nil for an interface without one.
    ///
    /// The contactless interface is first. If the reader has a slot for a SAM, its interface is second.
    package let interfaces: [String?]
    package let vendor, product: UInt16
    package let technologies: Set<Technology>
    package let dialects: Set<Dialect>
    /// The maximum length of a CCID message in bytes (dwMaxCCIDMessageLength).
    package let maximumMessage: Int
    package var takesExtendedAPDU = true
    package var uidOrder = UIDOrder.mostSignificantFirst
    package var blockAddress = BlockAddress.p1p2
    /// The time limit for a frame in a transparent session, unless a timer object sets one.
    package var exchangeTime = Duration.milliseconds(3)
    /// The time limit for commands to ISO 15693 tags outside a transparent session.
    package var commandTime = Duration.milliseconds(25)
    /// The maximum length of a tag's answer in a transparent session, in bytes.
    package var maximumAnswer = 256
    /// Whether the reader sends the separate EOF that writes with the option flag require.
    package var sendsWriteEOF = true
    /// The values of the key structure (P1) that `FF 82` accepts.
    package var keyStructures: Set<UInt8> = [0x00, 0x20]
}
