// Serial adapters that may carry a PN532: nothing tells from outside, so they have to be named

import USBReaders

extension Diagnosis {
    /// The adapters that no command will find by itself; nil when there is none.
    var serialPorts: Examination? {
        let named = subjects.compactMap { subject -> String? in
            if case .serial(let port) = subject.place { port.node } else { nil }
        }
        let ports = survey.serialPorts.filter { $0.adapter != nil && !named.contains($0.node) }
        guard wanted == nil, let first = ports.first else { return nil }
        let list = ports.map { "\($0.adapter?.model.name ?? "adapter") on \($0.node)" }.joined(separator: ", ")
        guard subjects.isEmpty else {
            return .ok(.serial, "\(list): a PN532 there is named \(first.connection)", facts: facts(of: ports))
        }
        return .warning(
            .serial, list,
            Remedy(
                cause:
                    "Whether a PN532 hangs on it shows only when it is spoken to, which would disturb any other device.",
                steps: [.run(["nfctool", "read", "--reader", first.connection], needsRoot: false)]),
            facts: facts(of: ports))
    }

    private func facts(of ports: [SerialPort]) -> [String: FailureDetail] {
        ["connections": .list(ports.map(\.connection))]
    }
}
