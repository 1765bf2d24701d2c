// Whether this process may use a device node — open(2), stat(2), acl(5)

@preconcurrency import Glibc

/// Who a device node belongs to, and whether this process may read and write it.
public struct NodeAccess: Hashable, Sendable {
    /// The node.
    public let path: String
    /// What the kernel answered.
    public let verdict: Verdict
    /// Who it belongs to; nil when there is no such node.
    public let ownership: Ownership?

    /// Creates an access.
    public init(path: String, verdict: Verdict, ownership: Ownership? = nil) {
        self.path = path
        self.verdict = verdict
        self.ownership = ownership
    }

    /// What the kernel answered to reading and writing a node.
    public enum Verdict: Hashable, Sendable {
        /// It may be read and written.
        case granted
        /// It may be read, not written: enough to look at, not to use.
        case readOnly
        /// This user may not open it (EACCES).
        case noPermission
        /// Nobody here may open it, as in a container that was not given the device (EPERM).
        case notPermitted
        /// There is no such node (ENOENT).
        case missing
        /// The node is there and the device is not (ENODEV, ENXIO).
        case deviceGone
        /// Somebody has it open for himself alone (EBUSY).
        case busy
        /// Another error number.
        case failed(Int32)
    }

    /// Who a node belongs to.
    public struct Ownership: Hashable, Sendable {
        /// The owner's number.
        public let owner: UInt32
        /// The owner's name, where /etc/passwd has one.
        public let ownerName: String?
        /// The group's number.
        public let group: UInt32
        /// The group's name, where /etc/group has one.
        public let groupName: String?
        /// The permission bits: `0o664`.
        public let mode: UInt16
        /// Whether there is an access control list, as logind gives the user at the screen (`uaccess`).
        public let hasACL: Bool

        /// Creates an ownership.
        public init(
            owner: UInt32, ownerName: String?, group: UInt32, groupName: String?, mode: UInt16, hasACL: Bool
        ) {
            self.owner = owner
            self.ownerName = ownerName
            self.group = group
            self.groupName = groupName
            self.mode = mode
            self.hasACL = hasACL
        }
    }
}
