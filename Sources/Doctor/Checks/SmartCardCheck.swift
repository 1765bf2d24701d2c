// Readers that pcscd opens: whether pcscd runs, supports the reader, and gives this user access — pcscd(8), polkit(8),
// libccid

import USBReaders

extension Diagnosis {
    /// Checks whether pcscd is available and supports a reader that pcscd opens.
    func smartCardService(_ subject: Subject) -> Examination {
        let daemon = system.smartCardDaemon
        if let unknown = unknownToDrivers(subject) { return unknown }
        if let process = daemon.process {
            guard subject.usb?.reader.connection != nil else {
                return .ok(.pcscd, "opened by pcscd (process \(process.process))", reader: subject.name)
            }
            // libnfc could also open this reader, so this is only a warning.
            let free = freeing(process)
            return .warning(
                .pcscd, "pcscd (process \(process.process)) uses it, so nfctool uses it through PC/SC",
                reader: subject.name,
                Remedy(
                    cause: free.cause + " libnfc can do more with this reader once it is free:", steps: free.steps,
                    note: free.note, isAutomatic: false),
                facts: ["process": .number(Int(process.process))])
        }
        if daemon.isListening || didOpen(subject) {
            return .ok(.pcscd, "pcscd is started on demand", reader: subject.name)
        }
        let isInstalled = daemon.socketUnit != .absent || daemon.serviceUnit != .absent
        return .problem(
            .pcscd, .noReader, isInstalled ? "pcscd is not running" : "pcscd is not installed", reader: subject.name,
            Remedy(
                cause: "\(subject.usb.map { "The \($0.reader.model.name)" } ?? "This reader") is a PC/SC reader, "
                    + "which needs the smart-card daemon pcscd.",
                steps: isInstalled
                    ? daemon.socketUnit == .absent
                        ? [.root("systemctl", "start", "pcscd.service")] : [.root("systemctl", "start", "pcscd.socket")]
                    : [.root("apt", "install", "pcscd")],
                isAutomatic: false))
    }

    /// Returns the problem with a USB reader that no installed driver of pcscd supports.
    ///
    /// Nil if a driver supports the reader, or if no drivers are found.
    private func unknownToDrivers(_ subject: Subject) -> Examination? {
        let drivers = system.smartCardDrivers
        guard let model = subject.usb?.reader.model, !drivers.isEmpty, !drivers.contains(where: { $0.drives(model) })
        else {
            return nil
        }
        let names = drivers.map { "\($0.name)\($0.version.map { " \($0)" } ?? "")" }.joined(separator: ", ")
        let since = Self.driverVersions[SmartCardDriver.Number(vendor: model.vendor, product: model.product)]
        return .problem(
            .pcscd, .noReader, "\(names) does not support the \(model.name)", reader: subject.name,
            Remedy(
                cause:
                    "pcscd's driver has a list of readers, and \(model.vendor.hexDigits):\(model.product.hexDigits) is not in it.",
                note: Remedy.Note(
                    since.map {
                        "libccid \($0) and later support it. Install it from a newer release of your system, or "
                            + "install the maker's driver."
                    } ?? "Install a newer libccid, or the maker's driver.")),
            facts: ["drivers": .text(names)])
    }

    /// The versions of libccid that added support for certain readers — libccid, changelog.
    private static let driverVersions: [SmartCardDriver.Number: String] = [
        SmartCardDriver.Number(vendor: 0x072F, product: 0x2303): "1.5.3",
        SmartCardDriver.Number(vendor: 0x072F, product: 0x2308): "1.5.3",
    ]

    /// Returns the result of the check for a reader that could not be opened through pcscd.
    func smartCardOpening(_ subject: Subject, _ error: Obstacle, _ message: String) -> Examination {
        let (statement, remedy): (String, Remedy) =
            switch error {
            case .noReader:
                (
                    "pcscd does not list it",
                    Remedy(
                        cause:
                            "pcscd is running, but has no reader with this name. It may still be starting, or another "
                            + "program uses the reader.",
                        note:
                            "pcsc_scan lists the readers that pcscd has found. To restart pcscd:  sudo systemctl restart pcscd"
                    )
                )
            case .noPermission:
                (
                    "pcscd refuses \(userName)",
                    Remedy(
                        cause:
                            "polkit lets users at the machine use smart-card readers, but not other users, such as those connected over SSH.",
                        note:
                            "Allow the action org.debian.pcsc-lite.access_pcsc in a rule in /etc/polkit-1/rules.d, or run nfctool at the machine."
                    )
                )
            case .busy:
                (
                    "another program uses it exclusively",
                    Remedy(
                        cause: "A program has connected to the card in exclusive mode.",
                        note: "End programs that use smart cards, such as gpg's scdaemon, and run the command again.")
                )
            default:
                (
                    "it does not open",
                    Remedy(
                        cause: message,
                        note: "Check whether pcsc_scan shows it. `journalctl -u pcscd` shows the reason.")
                )
            }
        return .problem(.opens, error, statement, reader: subject.name, remedy, facts: ["message": .text(message)])
    }
}
