// A reader on an emulated USB bus: its properties, and the virtual chip behind it

public import VirtualPN532

/// A reader that tests plug in.
public struct EmulatedReader: Sendable {
    /// The readers that Tests/USBLauncher emulates.
    public enum Model: String, Sendable, CaseIterable {
        case acr122u
        case pn533
        case scl3711

        /// The chip inside.
        public var chip: ChipModel { self == .acr122u ? .pn532 : .pn533 }
        /// The name that libnfc shows.
        public var name: String {
            switch self {
            case .acr122u: "ACS / ACR122U PICC Interface"
            case .pn533: "NXP / PN533"
            case .scl3711: "SCM Micro / SCL3711-NFC&RW"
            }
        }
        /// The prefix of libnfc's connection strings.
        public var driver: String { self == .acr122u ? "acr122_usb" : "pn53x_usb" }
    }

    /// The model.
    public let model: Model
    /// The port of the reader, such as `1-2.3`.
    ///
    /// Nil for a port of the root hub, from 1-2 on.
    public let port: String?
    /// The serial number of the reader, or nil if it has none.
    ///
    /// Real readers of these models have none.
    public let serial: String?
    /// The chip with its tags, which may be changed at any time.
    public let chip: VirtualReader

    /// Creates a reader with these tags in its field.
    public init(
        _ model: Model, tags: [any VirtualTag] = [], port: String? = nil, serial: String? = nil,
        faults: Faults = Faults(), latency: Latency = .none
    ) throws {
        (self.model, self.port, self.serial) = (model, port, serial)
        chip = try VirtualReader(tags: tags, faults: faults, latency: latency, chip: model.chip)
    }

    /// Creates a reader for an existing chip.
    public init(_ model: Model, chip: VirtualReader, port: String? = nil, serial: String? = nil) {
        (self.model, self.chip, self.port, self.serial) = (model, chip, port, serial)
    }

    var argument: String { model.rawValue + (port.map { "@\($0)" } ?? "") + (serial.map { "#\($0)" } ?? "") }
}
