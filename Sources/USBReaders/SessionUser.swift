// Who runs this program — credentials(7), group(5)

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

    /// Creates a user.
    public init(
        number: UInt32, name: String?, groups: [Group] = [], groupsNotYetInSession: [Group] = [],
        deviceGroups: [Group] = []
    ) {
        self.number = number
        self.name = name
        self.groups = groups
        self.groupsNotYetInSession = groupsNotYetInSession
        self.deviceGroups = deviceGroups
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
