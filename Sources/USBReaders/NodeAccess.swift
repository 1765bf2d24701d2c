// The access of this process to a device node — open(2), stat(2), acl(5)

internal import Clibusb
@preconcurrency import Glibc

/// The owner of a device node, and whether this process may read and write the node.
public struct NodeAccess: Hashable, Sendable {
    /// The path of the node.
    public let path: String
    /// Whether this process may read and write the node, according to the kernel.
    public let verdict: Verdict
    /// The owner and the permissions of the node; nil if there is no such node.
    public let ownership: Ownership?

    /// Creates an access result.
    public init(path: String, verdict: Verdict, ownership: Ownership? = nil) {
        self.path = path
        self.verdict = verdict
        self.ownership = ownership
    }

    /// The kernel's answer to the request to read and write a node.
    public enum Verdict: Hashable, Sendable {
        /// The node may be read and written.
        case granted
        /// The node may be read but not written, which is not enough to use it.
        case readOnly
        /// This user may not open the node (EACCES).
        case noPermission
        /// Nobody may open the node here, for example because a container was not given the device (EPERM).
        case notPermitted
        /// There is no such node (ENOENT).
        case missing
        /// The node exists, but the device does not (ENODEV, ENXIO).
        case deviceGone
        /// Another process has opened the node exclusively (EBUSY).
        case busy
        /// The kernel reported another error.
        ///
        /// The value is its number.
        case failed(Int32)
    }

    /// The owner and the permissions of a node.
    public struct Ownership: Hashable, Sendable {
        /// The owner's user ID.
        public let owner: UInt32
        /// The name of the owner; nil if it is not known.
        public let ownerName: String?
        /// The group ID.
        public let group: UInt32
        /// The name of the group; nil if it is not known.
        public let groupName: String?
        /// The permission bits, for example `0o664`.
        public let mode: UInt16
        /// Whether the node has an access control list.
        ///
        /// For example, logind sets one for the user at the screen (`uaccess`).
        public let hasACL: Bool
        /// When the owner, group or mode was last set, in seconds since 1970.
        ///
        /// Usually, this is the time at which the device was plugged in.
        public let changed: Int

        /// Creates a description of the owner and the permissions.
        public init(
            owner: UInt32, ownerName: String?, group: UInt32, groupName: String?, mode: UInt16, hasACL: Bool,
            changed: Int = 0
        ) {
            self.owner = owner
            self.ownerName = ownerName
            self.group = group
            self.groupName = groupName
            self.mode = mode
            self.hasACL = hasACL
            self.changed = changed
        }
    }
}

extension NodeAccess {
    /// Checks the access to a device node, on this machine or in a copy of its files.
    ///
    /// A serial port is checked with `access` instead of `open`, because opening resets some boards.
    public init(of path: String, root: SystemRoot = SystemRoot()) {
        let names = AccountNames(root: root)
        self.init(of: path, root: root, names: names)
    }

    init(of path: String, root: SystemRoot, names: AccountNames) {
        let place = root.place(path)
        var status = stat()
        guard stat(place, &status) == 0 else {
            self.init(path: path, verdict: Verdict(errno))
            return
        }
        let ownership = Ownership(
            owner: status.st_uid, ownerName: names.userName(status.st_uid), group: status.st_gid,
            groupName: names.groupName(status.st_gid), mode: UInt16(truncatingIfNeeded: status.st_mode & 0o7777),
            hasACL: getxattr(place, "system.posix_acl_access", nil, 0) > 0, changed: status.st_ctim.tv_sec)
        let isSerial = path.hasPrefix("/dev/tty") || path.hasPrefix("/dev/pts/")
        self.init(
            path: path, verdict: isSerial ? Self.asked(place) : Self.opened(place), ownership: ownership)
    }

    private static func opened(_ place: String) -> Verdict {
        let descriptor = open(place, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        if descriptor >= 0 {
            close(descriptor)
            return .granted
        }
        let verdict = Verdict(errno)
        guard verdict == .noPermission || verdict == .readOnly else { return verdict }
        let readable = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard readable >= 0 else { return verdict }
        close(readable)
        return .readOnly
    }

    private static func asked(_ place: String) -> Verdict {
        if faccessat(AT_FDCWD, place, R_OK | W_OK, AT_EACCESS) == 0 { return .granted }
        let verdict = Verdict(errno)
        return verdict == .noPermission && faccessat(AT_FDCWD, place, R_OK, AT_EACCESS) == 0 ? .readOnly : verdict
    }
}

extension NodeAccess.Verdict {
    init(_ number: Int32) {
        self =
            switch number {
            case EACCES: .noPermission
            case EPERM: .notPermitted
            case EROFS: .readOnly
            case ENOENT, ENOTDIR: .missing
            case ENODEV, ENXIO: .deviceGone
            case EBUSY: .busy
            default: .failed(number)
            }
    }
}
