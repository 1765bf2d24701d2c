// Whether a reader is connected

import USBReaders

extension Diagnosis {
    /// Checks whether a reader that was found, or that the user named, is connected.
    func presence(_ subject: Subject) -> Examination {
        switch subject.place {
        case .usb(let surveyed):
            let reader = surveyed.reader
            return .ok(
                .reader,
                "\(subject.title) on \(subject.name) (\(subject.isSmartCardReader ? "through PC/SC" : subject.connection))",
                reader: subject.name,
                facts: [
                    "connection": .text(subject.connection), "vendor": .text(reader.model.vendor.hexDigits),
                    "product": .text(reader.model.product.hexDigits),
                ])
        case .serial(let port):
            if let missing = missing(subject) { return missing }
            return .ok(.reader, "\(subject.title), \(port.node)", reader: subject.name)
        case .elsewhere:
            if let missing = missing(subject) { return missing }
            return .ok(
                .reader, subject.isSmartCardReader ? "\(subject.title) (through PC/SC)" : subject.connection,
                reader: subject.name)
        }
    }

    /// Returns the problem with a named USB reader or serial port that is known to be missing, or nil if there is none.
    private func missing(_ subject: Subject) -> Examination? {
        if let path = Subject.serialPath(of: subject.connection), isMissing(subject, path) {
            return .problem(
                .reader, .noReader, "\(path) does not exist", reader: subject.name,
                portlessAdapter
                    ?? Remedy(
                        cause: path.isOfAdapter
                            ? "No serial adapter is currently named \(path). The number in the name can change when an adapter is plugged in again."
                            : "No serial port has the name \(path): its adapter is not plugged in, or has another "
                                + "name.",
                        steps: otherNames(than: subject)))
        }
        guard ReaderModel.Driver.allCases.contains(where: { subject.connection.hasPrefix($0.rawValue + ":") }) else {
            return nil
        }
        return .problem(
            .reader, .noReader, "\(subject.connection) is not connected", reader: subject.name,
            Remedy(
                cause: "No reader has this number now. A reader gets a new number each time it is plugged in.",
                steps: otherNames(than: subject)))
    }

    /// Whether a serial port is missing.
    ///
    /// A container may lack a port that the machine has, but the node check reports this.
    private func isMissing(_ subject: Subject, _ path: String) -> Bool {
        switch subject.place {
        case .serial(let port): port.access.verdict == .missing && system.machine.container == nil
        case .usb: false
        case .elsewhere: path.isOfAdapter
        }
    }

    private func otherNames(than subject: Subject) -> [SystemStep] {
        let plugged = survey.readers.compactMap(Subject.init).map(\.name)
        let boards = survey.serialPorts.filter { $0.adapter != nil }.map(\.connection)
        let others = (plugged + boards).filter { $0 != subject.name }
        return (others.isEmpty ? [["readers"]] : others.map { ["read", "--reader", $0] }).map { .nfctool($0) }
    }

    /// The result of the check if the system has no reader.
    var noReader: Examination {
        let machine = system.machine
        if let wanted, let undriven = undriven(wanted) { return undriven }
        if let wanted {
            return .problem(
                .reader, .noReader, "nothing is plugged in \(wanted.hasPrefix("serial:") ? "with" : "at") \(wanted)",
                reader: wanted,
                Remedy(
                    cause: wanted.hasPrefix("serial:")
                        ? "No reader that nfctool can use has this serial number."
                        : "No reader that nfctool can use is on this port.",
                    steps: [.nfctool(["readers"])]))
        }
        let statement = "no supported reader is connected"
        if let undriven = survey.readers.first(where: { $0.reader.model.reason != nil }) {
            return .problem(
                .reader, .noReader, statement,
                Self.trial("nfctool cannot use the reader that is plugged in: \(undriven.reader.model.name)."))
        }
        if let port = survey.serialPorts.first(where: { $0.adapter != nil }) {
            return .problem(
                .reader, .noReader, statement,
                Remedy(
                    cause:
                        "No USB reader is plugged in. A PN532 may be connected to the serial adapter on \(port.node). To check it, name its port.",
                    steps: [.nfctool(["doctor", "--reader", port.connection])]))
        }
        if let portlessAdapter { return .problem(.reader, .noReader, statement, portlessAdapter) }
        if !machine.hasUSB {
            guard machine.container == nil else {
                return .problem(
                    .reader, .noReader, statement,
                    Remedy(
                        cause: "This container has no USB bus: there is no /sys/bus/usb.",
                        note: Remedy.Note(
                            "On the machine that has the reader, start the container with access to USB:", Self.withUSB)
                    ))
            }
            return .problem(
                .reader, .noReader, statement,
                Remedy(
                    cause: "This machine has no USB bus: there is no /sys/bus/usb.",
                    note: passThrough
                        ?? Remedy.Note(
                            "A PN532 on a serial port must be named:",
                            .nfctool(["read", "--reader", "pn532_uart:/dev/ttyS0"]))))
        }
        if let passThrough {
            return .problem(
                .reader, .noReader, statement,
                Remedy(
                    cause: "No reader is plugged into the host, or the host does not pass it to this virtual machine.",
                    note: passThrough)
            )
        }
        return .problem(
            .reader, .noReader, statement,
            Self.trial(
                "No reader is plugged in, or its cable carries only power. lsusb lists a reader whose cable works."))
    }

    /// Returns the problem with a reader that was named by its port or serial number, but that neither libnfc nor pcscd
    /// drives.
    ///
    /// Nil if there is no such reader.
    private func undriven(_ wanted: String) -> Examination? {
        let found = survey.readers.map(\.reader).first { reader in
            wanted == "usb:\(reader.port)" || reader.serial.map { wanted == "serial:\($0)" } ?? false
        }
        guard let model = found?.model, let reason = model.reason else { return nil }
        return .problem(
            .reader, .noReader, "the \(model.name) at \(wanted) cannot be used", reader: wanted,
            Remedy(
                cause: "nfctool cannot use the \(model.name): \(reason.clause).", note: Remedy.Note(reason.alternative)
            ))
    }

    private static func trial(_ cause: String) -> Remedy {
        Remedy(
            cause: cause,
            note: Remedy.Note(
                "nfctool works with PC/SC readers, such as an ACR1552U, and with readers that have a PN531, PN532 or PN533, such as an ACR122U. To try it without a reader:",
                .nfctool(["read", "--reader", "virtual"])))
    }
}

extension SerialPort {
    /// The connection string of a PN532 on this port, with a stable name if there is one.
    var connection: String { "pn532_uart:\(stableNames.first { !$0.contains(":") } ?? node)" }
}

extension String {
    /// Whether the path is the kernel's name for a USB adapter, which may change.
    var isOfAdapter: Bool { hasPrefix("/dev/ttyUSB") || hasPrefix("/dev/ttyACM") }
}
