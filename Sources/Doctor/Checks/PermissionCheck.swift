// Whether this user may open the reader — udev(7), group(5)

package import USBReaders

extension Diagnosis {
    /// Checks whether this user may read and write the node, and if not, determines the most likely reason.
    func permission(_ subject: Subject) -> Examination {
        guard !subject.isSmartCardReader else {
            return .notApplicable(.permission, "opened by pcscd", reader: subject.name)
        }
        guard let access = subject.node?.access else {
            return .notApplicable(.permission, "no device node", reader: subject.name)
        }
        switch access.verdict {
        case .granted, .busy: return .ok(.permission, "\(userName) may use \(access.path)", reader: subject.name)
        case .noPermission, .readOnly:
            return .problem(
                .permission, .noPermission, "\(userName) may not use \(access.path)\(access.inBrackets)",
                reader: subject.name, permissionRemedy(subject, access),
                facts: [
                    "path": .text(access.path), "user": .text(userName),
                    "group": .text(access.ownership?.groupText ?? ""), "mode": .text(access.ownership?.modeText ?? ""),
                ])
        case .missing, .notPermitted, .deviceGone, .failed:
            return .notApplicable(.permission, "no device node", reader: subject.name)
        }
    }

    /// The user's name, or a text with the user ID if there is no name.
    var userName: String { system.user.name ?? "user \(system.user.number)" }

    private func permissionRemedy(_ subject: Subject, _ access: NodeAccess) -> Remedy {
        guard let ownership = access.ownership else { return ruleRemedy("The reader belongs to root only.") }
        if system.user.isAtSeat, case .usb(let surveyed) = subject.place,
            let remedy = seatRemedy(surveyed, ownership)
        {
            return remedy
        }
        // If the group has access, check whether this user belongs to it, or will belong to it after the next login.
        if ownership.isForGroup, let group = ownership.groupName, !Self.groupsOfDaemons.contains(group) {
            if system.user.groupsNotYetInSession.contains(where: { $0.number == ownership.group }) {
                return Remedy(
                    cause: "\(userName) is in the group \(group), but has not logged in again since joining it.",
                    steps: [.run(["newgrp", group], needsRoot: false)],
                    note: "This applies to this shell only. To apply it everywhere, log out and in again.",
                    isAutomatic: false)
            }
            if !system.user.groups.contains(where: { $0.number == ownership.group }) {
                return Remedy(
                    cause: "The device belongs to the group \(group), and \(userName) is not a member.",
                    steps: [.root("usermod", "-aG", group, userName)],
                    note: Remedy.Note(
                        "Then log out and in again. Or, for this shell only:",
                        .run(["newgrp", group], needsRoot: false)),
                    // Membership in other groups, such as wheel or docker, may give more rights than access to devices,
                    // so --fix does not change it.
                    isAutomatic: hasDeviceGroup(group))
            }
        }
        guard case .usb(let surveyed) = subject.place else {
            return Remedy(
                cause: "The port belongs to root only (\(ownership.text)); usually it belongs to the group "
                    + "\(serialGroup).",
                steps: [.root("chgrp", serialGroup, access.path), .root("chmod", "g+rw", access.path)])
        }
        return ruleRemedy(surveyed, ownership)
    }

    /// Returns the remedy for a user at this machine: a rule with `uaccess`, which works immediately.
    ///
    /// A new group would work only after the next login.
    ///
    /// - Returns: nil if such a rule has already run and did not help.
    private func seatRemedy(_ surveyed: SurveyedReader, _ ownership: NodeAccess.Ownership) -> Remedy? {
        let rule = surveyed.rules.last {
            $0.tagsUaccess && (!$0.tagsUaccessTooLate || $0.file == SystemFile.rules.path)
        }
        if let rule {
            guard rule.modified >= ownership.changed else { return nil }
            return Remedy(
                cause:
                    "The rule in \(rule.file) is newer than the device node: the reader was not plugged in again after the rule was installed.",
                steps: Self.applying(action: "add"), note: "Or unplug the reader and plug it in again.")
        }
        return ruleRemedy(
            "The device belongs to \(ownership.text), and no udev rule gives access to the user at this machine's own screen."
        )
    }

    private func hasDeviceGroup(_ name: String) -> Bool { system.user.deviceGroups.contains { $0.name == name } }

    /// The group of serial ports: `dialout` on Debian and Fedora, `uucp` on Arch.
    private var serialGroup: String { !hasDeviceGroup("dialout") && hasDeviceGroup("uucp") ? "uucp" : "dialout" }

    /// Groups of libccid and polkit, whose members get more rights than access to a reader requires.
    private static let groupsOfDaemons: Set<String> = ["root", "pcscd", "scard"]

    private func ruleRemedy(_ surveyed: SurveyedReader, _ ownership: NodeAccess.Ownership) -> Remedy {
        let rules = surveyed.rules.filter { $0.group != nil || $0.mode != nil || $0.tagsUaccess }
        guard let last = rules.last else {
            return ruleRemedy("No udev rule lets users other than root open this reader.")
        }
        let isCCID = surveyed.reader.model.drive?.quirks.contains(.smartCardInterface) ?? false
        if isCCID, rules.allSatisfy(\.runsBeforeLibccid), last.group != nil, ownership.groupName != last.group {
            return ruleRemedy(
                "The rule in \(last.file) runs too early: libccid's 92-libccid.rules gives the reader to \(ownership.groupText) afterwards."
            )
        }
        if rules.allSatisfy({ $0.group == nil && $0.mode == nil && $0.tagsUaccess }) {
            if rules.allSatisfy({ $0.tagsUaccessTooLate && $0.file != SystemFile.rules.path }) {
                return ruleRemedy(
                    "The rule in \(last.file) requests uaccess too late: systemd looks for it in 73-seat-late.rules.")
            }
            return ruleRemedy(
                "The rule in \(last.file) gives access only to users at this machine's own screen, but \(userName) "
                    + "works elsewhere, for example over SSH.",
                joins: true)
        }
        // The rule has been applied since the reader was plugged in, but was not sufficient.
        if last.modified < ownership.changed {
            return last.file == SystemFile.rules.path
                ? ruleRemedy(
                    "The rule gives access to users at this machine's own screen and to the group plugdev. "
                        + "\(userName) is neither at the screen nor in the group.",
                    joins: true)
                : ruleRemedy(
                    "The rule in \(last.file) has run, but does not give \(userName) access: a later rule overrides "
                        + "it, or its group does not exist."
                )
        }
        let cause =
            "The rule in \(last.file) is newer than the device node: the reader was not plugged in again after the rule was installed."
        let groups = system.user.groups + system.user.groupsNotYetInSession
        if let group = last.group, !groups.contains(where: { $0.name == group }), !rules.contains(where: \.tagsUaccess)
        {
            return Remedy(
                cause: cause + " The rule gives access to the group \(group), and \(userName) is not a member.",
                steps: Self.applying(action: "add") + [.root("usermod", "-aG", group, userName)],
                note: "Then log out and in again.")
        }
        return Remedy(
            cause: cause, steps: Self.applying(action: "add"), note: "Or unplug the reader and plug it in again.")
    }

    /// Returns the remedy that installs nfctool's own rule.
    ///
    /// `cause` explains why the present rules do not help. `joins` is true if this user must also join the rule's
    /// group.
    private func ruleRemedy(_ cause: String, joins: Bool = false) -> Remedy {
        let groups = system.user.groups + system.user.groupsNotYetInSession
        let isMember = groups.contains { $0.name == "plugdev" }
        // udev ignores groups that do not exist, such as plugdev on Fedora and Arch.
        let group = hasDeviceGroup("plugdev") ? [] : [SystemStep.root("groupadd", "--system", "plugdev")]
        let steps = group + [.install(.rules)] + Self.applying(action: "change")
        if joins, !isMember {
            return Remedy(
                cause: cause, steps: steps + [.root("usermod", "-aG", "plugdev", userName)],
                note: "Then log out and in again.")
        }
        return Remedy(
            cause: cause, steps: steps,
            note: isMember || system.user.isAtSeat
                ? nil
                : Remedy.Note(
                    "If you work over SSH, also run:",
                    .root("usermod", "-aG", "plugdev", userName)))
    }

    /// Returns the steps that make udev reload its rules and apply them to USB devices.
    ///
    /// nfctool's rules apply to any action, and libnfc's rules only to `add`.
    private static func applying(action: String) -> [SystemStep] {
        [
            .root("udevadm", "control", "--reload"),
            .root("udevadm", "trigger", "--action=\(action)", "--subsystem-match=usb"),
        ]
    }
}

extension NodeAccess {
    fileprivate var inBrackets: String { ownership.map { " (\($0.text))" } ?? "" }
}

extension NodeAccess.Ownership {
    /// The owner and mode in the format of `ls`, for example `root:plugdev 0664`.
    package var text: String { "\(ownerName ?? String(owner)):\(groupText) \(modeText)" }
    var groupText: String { groupName ?? String(group) }
    var modeText: String {
        let digits = String(mode & 0o7777, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
    fileprivate var isForGroup: Bool { mode & 0o060 == 0o060 }
}
