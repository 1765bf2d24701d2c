// What is secret in a record — Wi-Fi Simple Configuration, Network Key

extension NDEFRecord {
    /// The bytes that are for the owner of the tag only: the Wi-Fi passwords of the record, as stored; none of other records.
    ///
    /// A program that shows a record's payload to other people hides them.
    public var secrets: [[UInt8]] {
        guard case .wifi(let record) = content else { return [] }
        return record.networks.compactMap(\.networkKey).filter { !$0.isEmpty }
    }
}
