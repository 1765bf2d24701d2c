// Who runs this program — credentials(7), group(5)

@preconcurrency import Glibc

/// The user of this process and the groups it is in.
public struct SessionUser: Hashable, Sendable {
    /// The effective user number.
    public let number: UInt32
    /// The name, where /etc/passwd has one.
    public let name: String?
    /// The groups of this process.
    public let groups: [Group]
    /// The groups that /etc/group gives the user, and this process is not in: they come with the next login.
    public let groupsNotYetInSession: [Group]
    /// All groups of /etc/group that matter for devices (`plugdev`, `dialout`, `uucp` …) and are there.
    public let deviceGroups: [Group]
    /// Whether the user sits at this machine: udev rules with `uaccess` work for this user at once.
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
        /// Its number.
        public let number: UInt32
        /// Its name, where /etc/group has one.
        public let name: String?

        /// Creates a group.
        public init(number: UInt32, name: String?) {
            self.number = number
            self.name = name
        }
    }
}

extension SessionUser {
    /// Groups that distributions give device nodes to: Debian `plugdev`, `dialout`; Arch `uucp`; others `lock`, `usb`, `nfc`,
    /// `pcscd`, `scard`; Raspberry Pi OS `i2c`, `spi`.
    private static let deviceGroupNames: Set<String> = [
        "plugdev", "dialout", "uucp", "lock", "usb", "nfc", "pcscd", "scard", "i2c", "spi",
    ]

    /// The user of this process, or of the process whose /proc/self a copy holds.
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

    /// Whether the active session of a seat is this user's — systemd-logind's state, which sd_seat_get_active(3) reads.
    private static func isAtSeat(_ number: UInt32, _ root: SystemRoot) -> Bool {
        let folder = "/run/systemd/seats"
        return root.names(folder).contains { root.lines("\(folder)/\($0)").contains("ACTIVE_UID=\(number)") }
    }
}
