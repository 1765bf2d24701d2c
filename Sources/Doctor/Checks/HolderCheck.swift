// The process that holds the reader — proc(5); pcscd(8), systemd.socket(5)

import USBReaders

extension Diagnosis {
    /// Checks whether pcscd, which claims every smart-card reader, holds this reader.
    func smartCardDaemon(_ subject: Subject) -> Examination {
        if subject.isSmartCardReader { return smartCardService(subject) }
        let daemon = system.smartCardDaemon
        guard let surveyed = subject.usb else {
            return .notApplicable(.pcscd, "uses USB readers only", reader: subject.name)
        }
        if isHeld(subject), let process = daemonAmong(surveyed.holders, nameOfHolder(subject)) {
            return .problem(
                .pcscd, .busy, "pcscd (process \(process.process)) is using it", reader: subject.name, freeing(process),
                facts: ["process": .number(Int(process.process))])
        }
        let isCCID = surveyed.reader.model.drive?.quirks.contains(.smartCardInterface) ?? false
        guard isCCID, daemon.process != nil || daemon.isListening else {
            return .ok(.pcscd, daemon.process == nil ? "is not running" : "is not using it", reader: subject.name)
        }
        return .warning(
            .pcscd, daemon.process == nil ? "starts when a program needs it" : "running, but not using it now",
            reader: subject.name,
            Remedy(
                cause: "pcscd claims this reader as soon as a program looks for smart cards.",
                steps: stopping(daemon.process), note: keepingOff, isAutomatic: false))
    }

    /// Checks whether another process holds the reader.
    func holder(_ subject: Subject) -> Examination {
        guard let (access, holders) = subject.node, access.verdict != .missing else {
            return .notApplicable(.holder, "no device node", reader: subject.name)
        }
        if subject.isSmartCardReader, subject.usb?.isHeldBySmartCardDaemon ?? true || holders.visible.isEmpty {
            return .ok(.holder, "no other program uses it", reader: subject.name)
        }
        let named = nameOfHolder(subject)
        let others = holders.visible.filter { $0.name != Self.daemonName && $0.isCalled(named) }
        if isHeld(subject), daemonAmong(holders, named) == nil || !others.isEmpty {
            guard let first = others.first else { return heldUnseen(subject, holders) }
            return .problem(
                .holder, .busy, "\(first.text) is using it", reader: subject.name,
                Remedy(
                    cause: first.cause(me: system.user.number), steps: first.steps(me: system.user.number),
                    isAutomatic: false),
                facts: ["process": .number(Int(first.process)), "holder": .text(first.name)])
        }
        guard let first = others.first, !didOpen(subject) else {
            return .ok(.holder, "no other program uses it", reader: subject.name)
        }
        return .ok(.holder, "\(first.text) has it open, but has not claimed it", reader: subject.name)
    }

    private static let daemonName = "pcscd"

    /// Whether another process is known to hold the reader, so that this program cannot claim it.
    private func isHeld(_ subject: Subject) -> Bool {
        if didOpen(subject) { return false }
        switch subject.place {
        // Several processes can open a USB node. Only a claim prevents the others from using the reader, and not every
        // kernel version shows the claim.
        case .usb(let surveyed):
            let isOpen = !surveyed.holders.visible.isEmpty
            return surveyed.reader.isClaimedByProgram || surveyed.access.verdict == .busy
                || opening(of: subject)?.isBusy ?? false || isOpen && opening(of: subject) != nil
                || surveyed.holders.visible.contains { $0.name == Self.daemonName }
        case .serial(let port): return !port.holders.visible.isEmpty || port.access.verdict == .busy
        case .elsewhere: return false
        }
    }

    /// Returns the name of the process that holds the reader, or nil if the attempt to open the reader did not reveal
    /// it.
    private func nameOfHolder(_ subject: Subject) -> String? {
        if case .held(let holder) = opening(of: subject) { holder } else { nil }
    }

    private func daemonAmong(_ holders: NodeHolders, _ named: String?) -> NodeHolder? {
        if let seen = holders.visible.first(where: { $0.name == Self.daemonName && $0.isCalled(named) }) { return seen }
        guard holders.visible.isEmpty else { return nil }
        return holders.suspects.first { $0.name == Self.daemonName && $0.isCalled(named) }
    }

    private func heldUnseen(_ subject: Subject, _ holders: NodeHolders) -> Examination {
        // The named process held the reader when it was opened a moment ago, so this result takes precedence.
        if let named = nameOfHolder(subject) {
            return .problem(
                .holder, .busy, "\(named) is using it", reader: subject.name, .waiting(for: named),
                facts: ["holder": .text(named)])
        }
        if holders.hidden == 0 || system.user.number == 0 {
            return .problem(
                .holder, .busy, "it is claimed, but no process has it open", reader: subject.name,
                Remedy(
                    cause:
                        "Something outside this system has claimed the reader: a virtual machine it is attached to, "
                        + "another container, or a driver.",
                    note: Self.replug))
        }
        let guess = holders.suspects.first.map { ", possibly \($0.text)," } ?? ""
        return .problem(
            .holder, .busy, "a process that \(userName) cannot see is using it", reader: subject.name,
            Remedy(
                cause:
                    "Another program\(guess) has claimed the reader. Only root can see which files other users' processes "
                    + "have open.",
                steps: [.nfctool(["doctor"], needsRoot: true)], isAutomatic: false))
    }

    /// Returns the remedy that makes pcscd release a reader.
    func freeing(_ process: NodeHolder?) -> Remedy {
        let isRestarted = system.smartCardDaemon.socketUnit != .absent
        return Remedy(
            cause:
                "The smart-card daemon pcscd claims every reader it "
                + "supports\(isRestarted ? ". Its socket starts it again if you stop only the service" : "").",
            steps: stopping(process), note: keepingOff, isAutomatic: isService)
    }

    private func stopping(_ process: NodeHolder?) -> [SystemStep] {
        let daemon = system.smartCardDaemon
        switch (daemon.socketUnit, daemon.serviceUnit) {
        case (.absent, .absent): return process.map { [.root("kill", String($0.process))] } ?? []
        case (.absent, _): return [.root("systemctl", "stop", "pcscd.service")]
        default: return [.root("systemctl", "stop", "pcscd.socket", "pcscd.service")]
        }
    }

    /// Whether the system starts pcscd.
    ///
    /// If a user started pcscd, that user has to end it.
    private var isService: Bool {
        system.smartCardDaemon.socketUnit != .absent || system.smartCardDaemon.serviceUnit != .absent
    }

    private var keepingOff: Remedy.Note? {
        guard system.smartCardDaemon.socketUnit == .enabled else { return nil }
        return Remedy.Note(
            "This lasts until the next restart. To make it permanent:", .root("systemctl", "disable", "pcscd.socket"))
    }
}

extension Opening {
    fileprivate var isBusy: Bool {
        switch self {
        case .failed(.busy, _), .held: true
        case .failed, .answered: false
        }
    }
}

extension NodeHolder {
    /// The process in words, for example `fwupd (process 812, user root)`.
    var text: String { "\(name) (process \(process)\(userName.map { ", user \($0)" } ?? ""))" }

    /// Whether the text that an error contains, such as `nfc-list (process 812)`, refers to this process.
    ///
    /// Also true if the error names no process.
    fileprivate func isCalled(_ named: String?) -> Bool { named?.hasSuffix("(process \(process))") ?? true }

    /// Services that are known to open readers and serial ports, with the units that run them.
    private static let services = [
        "ModemManager": ["ModemManager.service"], "brltty": ["brltty-udev.service", "brltty.service"],
        "neard": ["neard.service"], "gpsd": ["gpsd.socket", "gpsd.service"],
    ]

    fileprivate func cause(me: UInt32) -> String {
        switch name {
        case "ModemManager":
            "ModemManager looks for a modem on every new serial port, and releases the port after a while."
        case "brltty": "brltty treats some serial adapters as braille displays."
        case "neard": "neard is the daemon of the kernel's NFC stack."
        case "nfctool": "Another nfctool process is using the reader. Wait for it to finish, or stop it."
        default: "Only one program at a time can use a reader. Close or stop \(name)."
        }
    }

    fileprivate func steps(me: UInt32) -> [SystemStep] {
        if let units = Self.services[name] { return [.run(["systemctl", "stop"] + units, needsRoot: true)] }
        return [.run(["kill", String(process)], needsRoot: user != me)]
    }
}
