// The progress of a plan in numbers, as JSON — Docs/JSON.md, Provision status

extension ProvisionCounts: Encodable {
    private enum Key: CodingKey {
        case rows, provisioned, verified, locked, protected, pending, bound, written, proven, sealed, failed
    }

    /// Encodes the numbers as members of a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(rows, forKey: .rows)
        try container.encode(provisioned, forKey: .provisioned)
        try container.encode(verified, forKey: .verified)
        try container.encode(locked, forKey: .locked)
        try container.encode(protected, forKey: .protected)
        let keys: [(RowState, Key)] = [
            (.pending, .pending), (.bound, .bound), (.written, .written), (.proven, .proven), (.sealed, .sealed),
            (.failed, .failed),
        ]
        for (state, key) in keys { try container.encode(states[state, default: 0], forKey: key) }
    }
}
