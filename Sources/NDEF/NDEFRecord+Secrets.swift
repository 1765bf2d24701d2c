// Secrets in a record — Wi-Fi Simple Configuration, Network Key

extension NDEFRecord {
    /// The secret bytes in the record: its Wi-Fi passwords as stored.
    ///
    /// Other records have none.
    ///
    /// A program that shows the payload of a record to other people should hide these bytes.
    public var secrets: [[UInt8]] {
        guard case .wifi(let record) = content else { return [] }
        return record.networks.compactMap(\.networkKey).filter { !$0.isEmpty }
    }
}
