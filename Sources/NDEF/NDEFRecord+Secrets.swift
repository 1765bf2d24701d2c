// Secrets in a record — Wi-Fi Simple Configuration, Network Key

extension NDEFRecord {
    /// The secret bytes in the record: its Wi-Fi passwords as stored.
    ///
    /// Records without Wi-Fi passwords have no secrets.
    ///
    /// A program that shows the payload of a record to other people should hide these bytes.
    public var secrets: [[UInt8]] {
        guard case .wifi(let record) = content else { return [] }
        return record.networks.compactMap(\.networkKey).filter { !$0.isEmpty }
    }
}
