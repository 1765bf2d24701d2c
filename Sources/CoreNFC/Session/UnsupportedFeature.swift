// Features of CoreNFC that no reader on Linux supports. Their sessions exist, but end with code 1 as soon as they begin

/// The reason why a session cannot begin with any reader.
///
/// It is stored as the underlying error of code 1.
enum UnsupportedFeature: Error, Hashable {
    case valueAddedServices, payment
}

extension UnsupportedFeature: CustomStringConvertible {
    var description: String {
        switch self {
        case .valueAddedServices:
            "Phones show Wallet passes only to a reader with Apple's keys and polling frames (VAS, ECP)."
        case .payment: "Only terminals that a card scheme has approved may read payment cards."
        }
    }
}

extension NFCReaderError {
    init(unsupported feature: UnsupportedFeature) {
        self.init(.readerErrorUnsupportedFeature, causedBy: feature)
    }
}
