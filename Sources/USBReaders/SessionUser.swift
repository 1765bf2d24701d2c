// The user who runs this program — credentials(7), group(5)

@preconcurrency import Glibc

/// The user of this process, and the groups of the user and of the process.
public struct SessionUser: Hashable, Sendable {
    /// The effective user ID.
    public let number: UInt32
    /// The name of the user; nil if it is not known.
    public let name: String?
    /// The groups to which this process belongs.
    public let groups: [Group]
    /// The user's groups in /etc/group to which this process does not belong.
    ///
    /// They take effect at the next login.
    public let groupsNotYetInSession: [Group]
    /// All groups in /etc/group that matter for devices, such as `plugdev`, `dialout` and `uucp`.
    public let deviceGroups: [Group]
    /// Whether the user sits at this machine.
    ///
    /// If so, udev rules with `uaccess` take effect immediately.
    public let isAtSeat: Bool

    /// Creates a user.
    public init(
        number: UInt32, name: String?, groups: [Group] = [], groupsNotYetInSession: [Group] = [],
        deviceGroups: [Group] = [], isAtSeat: Bool = false
    ) {
        self.number = number
        self.name = name
        self.groups = groups
        self.groupsNotYetInSession = groupsNotYetInSession
        self.deviceGroups = deviceGroups
        self.isAtSeat = isAtSeat
    }

    /// A group.
    public struct Group: Hashable, Sendable {
        /// The group ID.
        public let number: UInt32
        /// The name of the group; nil if it is not known.
        public let name: String?

        /// Creates a group.
        public init(number: UInt32, name: String?) {
            self.number = number
            self.name = name
        }
    }
}

extension SessionUser {
    /// The groups to which distributions assign device nodes.
    ///
    /// Debian uses `plugdev` and `dialout`; Arch uses `uucp`; others use `lock`, `usb`, `nfc`, `pcscd` and `scard`;
    /// Raspberry Pi OS uses `i2c` and `spi`.
    private static let deviceGroupNames: Set<String> = [
        "plugdev", "dialout", "uucp", "lock", "usb", "nfc", "pcscd", "scard", "i2c", "spi",
    ]

    /// Creates the user of this process, or of the process whose /proc/self is in a copy.
    init(root: SystemRoot, names: AccountNames) {
        let status = "/proc/self/status"
        let number = root.statusNumbers(status, of: "Uid:").dropFirst().first ?? geteuid()
        let name = names.userName(number)
        var numbers = root.statusNumbers(status, of: "Groups:")
        if let main = root.statusNumbers(status, of: "Gid:").dropFirst().first, !numbers.contains(main) {
            numbers.insert(main, at: 0)
        }
        let missing = names.groups.filter { line in
            !numbers.contains(line.number) && name.map { line.members.contains($0) } == true
        }
        self.init(
            number: number, name: name, groups: numbers.map { Group(number: $0, name: names.groupName($0)) },
            groupsNotYetInSession: missing.map { Group(number: $0.number, name: $0.name) },
            deviceGroups: names.groups.filter { Self.deviceGroupNames.contains($0.name) }
                .map { Group(number: $0.number, name: $0.name) },
            isAtSeat: Self.isAtSeat(number, root))
    }

    /// Whether the active session of a seat belongs to this user.
    ///
    /// The source is the state of systemd-logind that sd_seat_get_active(3) reads.
    private static func isAtSeat(_ number: UInt32, _ root: SystemRoot) -> Bool {
        let folder = "/run/systemd/seats"
        return root.names(folder).contains { root.lines("\(folder)/\($0)").contains("ACTIVE_UID=\(number)") }
    }
}
