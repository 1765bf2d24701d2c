// What CoreNFC can do and no reader on Linux can: such sessions exist, and end with code 1 as soon as they begin

/// Why a session cannot begin on any reader; stands under code 1 as its cause.
enum UnsupportedFeature: Error, Hashable {
    case valueAddedServices, payment
}

extension UnsupportedFeature: CustomStringConvertible {
    /// Why, in a sentence.
    var description: String {
        switch self {
        case .valueAddedServices:
            "Wallet passes answer only to a reader with Apple's keys and polling frames (VAS, ECP)."
        case .payment: "Payment cards are for terminals that a card scheme has approved."
        }
    }
}

extension NFCReaderError {
    /// Code 1, with the reason.
    init(unsupported feature: UnsupportedFeature) {
        self.init(.readerErrorUnsupportedFeature, causedBy: feature)
    }
}
