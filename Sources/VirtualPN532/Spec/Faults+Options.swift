// Faults and coupling options by name

extension Faults {
    private enum OnOff: String, CaseIterable { case on, off }

    /// Sets a fault by the name of its option.
    ///
    /// The options are `loss=N`, `tear=N`, `nak=N`, `crc=N`, `corrupt=N`, `mute=N`, `hang=N`, `deaf=N`,
    /// `slowwake=TIME`, `back=TIME` and `repeat`. The options for the ``coupling`` are `ber=P`, `noise=N%`, `seed=N`,
    /// `edge=MS` and `powerup=on|off|MS`.
    /// - Throws: ``VirtualReaderError/notAnOption(_:known:)`` or
    ///   ``VirtualReaderError/badValue(option:value:expected:)``.
    public mutating func apply(_ name: String, _ value: String) throws(VirtualReaderError) {
        guard let option = VirtualReaderOption(rawValue: name) else {
            throw .notAnOption(name, known: VirtualReaderOption.names)
        }
        guard try apply(option, OptionValue(option: name, text: value)) else {
            throw .notAnOption(name, known: VirtualReaderOption.names)
        }
    }

    /// Sets a fault, or returns false if the option is not a fault.
    mutating func apply(_ option: VirtualReaderOption, _ value: OptionValue) throws(VirtualReaderError) -> Bool {
        switch option {
        case .loss: loss = try Self.number(value)
        case .tear: tear = try Self.number(value)
        case .nak: nak = try Self.number(value)
        case .crc: crc = try Self.number(value)
        case .corrupt: corrupt = try Self.number(value)
        case .deaf: deaf = try Self.number(value)
        case .mute: mute = try Self.number(value, from: 0)
        case .hang: hang = try Self.number(value, from: 0)
        case .slowwake: slowwake = try value.duration()
        case .back: back = try value.duration()
        case .strikesAgain:
            try value.nothing()
            repeats = true
        case .bitErrorRate: coupling.bitErrorRate = try value.probability()
        case .noise: coupling.bitErrorRate = Coupling.bitErrorRate(losing: try value.share())
        case .seed: coupling.seed = UInt64(try Self.number(value, from: 0))
        case .edge: coupling.edge = try value.milliseconds()
        case .powerUp:
            if let choice = OnOff(rawValue: value.text) {
                coupling.powerUp = choice == .on ? .guardTime : .after(.zero)
            } else if let time = try? value.milliseconds() {
                coupling.powerUp = .after(time)
            } else {
                throw value.refused("on, off or milliseconds")
            }
        case .version, .vendor, .signature, .fastRead, .duplicates, .lockTLV, .latency, .stream, .dwell, .gap, .kind,
            .serial, .chip, .antenna:
            return false
        }
        return true
    }

    private static func number(_ value: OptionValue, from first: Int = 1) throws(VirtualReaderError) -> Int {
        try value.number(in: first...1_000_000_000)
    }
}
