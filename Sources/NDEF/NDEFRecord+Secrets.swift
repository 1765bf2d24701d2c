// The secrets in a record — Wi-Fi Simple Configuration, Network Key

extension NDEFRecord {
    /// The secrets in the record, which are the passwords of Wi-Fi networks as stored.
    ///
    /// All other records have no secrets. A program that shows the payload of a record to other people should hide
    /// these bytes.
    public var secrets: [[UInt8]] {
        guard case .wifi(let record) = content else { return [] }
        return record.networks.compactMap(\.networkKey).filter { !$0.isEmpty }
    }
}
