// Options for the variants of Type 2 Tags

extension Type2Variant {
    private enum Without: String, CaseIterable { case none }

    /// The largest FAST_READ range, in blocks, that can be requested: from block 0 to block FF.
    private static let longestRange = 256

    /// Sets one difference from the chip that the tag imitates, or returns false if the option does not name a
    /// difference.
    mutating func apply(_ option: VirtualReaderOption, _ value: OptionValue) throws(VirtualReaderError) -> Bool {
        switch option {
        case .version:
            _ = try value.choice(Without.self)
            version = .none
        case .vendor: version = .vendor(try value.byte())
        case .signature:
            _ = try value.choice(Without.self)
            hasSignature = false
        case .fastRead:
            guard value.text != Without.none.rawValue else {
                fastRead = .none
                return true
            }
            guard let limit = Int(value.text), (1...Self.longestRange).contains(limit) else {
                throw value.refused("none or a number of blocks from 1 to \(Self.longestRange)")
            }
            fastRead = .atMost(limit)
        case .duplicates: duplicatesEvery = try value.number(in: 1...1_000_000_000)
        case .lockTLV:
            _ = try value.choice(Without.self)
            hasLockControlTLV = false
        default: return false
        }
        return true
    }
}
