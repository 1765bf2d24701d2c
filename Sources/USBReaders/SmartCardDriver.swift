// pcscd's drivers, and the readers that they support — libccid's Info.plist

/// A driver bundle for pcscd.
public struct SmartCardDriver: Hashable, Sendable {
    /// The name of the driver, for example `ifd-ccid`.
    public let name: String
    /// The version of the driver, for example `1.5.2`; nil if the bundle contains none.
    public let version: String?
    /// The IDs of the models that the driver supports.
    public let readers: Set<Number>

    /// The USB vendor and product IDs of a model.
    public struct Number: Hashable, Sendable {
        /// The vendor ID.
        public let vendor: UInt16
        /// The product ID.
        public let product: UInt16

        /// Creates the IDs of a model.
        public init(vendor: UInt16, product: UInt16) { (self.vendor, self.product) = (vendor, product) }
    }

    /// Creates a driver.
    public init(name: String, version: String?, readers: Set<Number>) {
        (self.name, self.version, self.readers) = (name, version, readers)
    }

    /// Whether the driver supports the model.
    public func drives(_ model: ReaderModel) -> Bool {
        readers.contains(Number(vendor: model.vendor, product: model.product))
    }
}

extension SmartCardDriver {
    private static let folders = ["/usr/lib/pcsc/drivers", "/usr/lib64/pcsc/drivers"]

    static func installed(root: SystemRoot) -> [SmartCardDriver] {
        folders.flatMap { folder in
            root.names(folder).filter { $0.hasSuffix(".bundle") }.compactMap { name in
                root.text("\(folder)/\(name)/Contents/Info.plist").map {
                    SmartCardDriver(name: String(name.dropLast(".bundle".count)), propertyList: $0)
                }
            }
        }
    }

    /// Creates a driver from its Info.plist, which contains parallel lists of vendor and product IDs, and the version.
    init(name: String, propertyList text: String) {
        let vendors = Self.strings(after: "<key>ifdVendorID</key>", in: text).map(Self.number)
        let products = Self.strings(after: "<key>ifdProductID</key>", in: text).map(Self.number)
        let readers = zip(vendors, products).compactMap { vendor, product in
            vendor.flatMap { vendor in product.map { Number(vendor: vendor, product: $0) } }
        }
        self.init(
            name: name, version: Self.strings(after: "<key>CFBundleShortVersionString</key>", in: text).first,
            readers: Set(readers))
    }

    /// Returns the texts in `<string>` elements between a key and the next key.
    private static func strings(after key: String, in text: String) -> [String] {
        guard let start = text.firstRange(of: key)?.upperBound else { return [] }
        let rest = text[start...]
        let part = rest[..<(rest.firstRange(of: "<key>")?.lowerBound ?? rest.endIndex)]
        return part.split(separator: "<string>").dropFirst().compactMap { piece in
            piece.firstRange(of: "</string>").map { String(piece[..<$0.lowerBound]) }
        }
    }

    /// Parses a number such as `0x072F`, or returns nil for any other text.
    private static func number(_ text: String) -> UInt16? {
        text.lowercased().hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16) : nil
    }
}
