// The two files a system needs so that readers work for all users — udev(7), modprobe.d(5)

import Hexadecimal
import USBReaders

/// A file that the doctor puts in its place; Docs/ holds copies, which a test compares.
public enum SystemFile: String, CaseIterable, Sendable {
    /// Who may open the readers.
    case rules
    /// What the kernel is not to load.
    case blacklist

    /// Where it belongs.
    ///
    /// 93: libccid's rules (92) give the readers among smart-card readers to pcscd's group, and the last word counts.
    public var path: String {
        switch self {
        case .rules: "/etc/udev/rules.d/93-nfctool.rules"
        case .blacklist: "/etc/modprobe.d/nfctool.conf"
        }
    }

    /// What is in it.
    public var text: String {
        switch self {
        case .rules: Self.rulesText
        case .blacklist: Self.blacklistText
        }
    }

    private static let group = "plugdev"

    private static var rulesText: String {
        let lines = ReaderModel.table.filter { $0.drive != nil }.map { model in
            """
            # \(model.name)
            ATTR{idVendor}=="\(model.vendor.hexDigits)", ATTR{idProduct}=="\(model.product.hexDigits)", \
            MODE="0664", GROUP="\(group)", TAG+="uaccess", RUN{builtin}+="uaccess"
            """
        }
        return """
            # Gives access to the NFC readers that libnfc drives over USB: to users at this machine's own screen, and \
            to the group \(group).
            # Install as \(SystemFile.rules.path); made by `nfctool doctor --print rules`.
            #
            # The number 93 comes after libccid's 92-libccid.rules, which may give some of these readers to pcscd: the last rule counts.
            # pcscd 2.4 runs as a user of its own, so it cannot use them then. 93 also comes after systemd's 73-seat-late.rules, which gives
            # access to the user at the screen (uaccess), so these rules ask for that themselves.
            ACTION=="remove", GOTO="nfctool_end"
            SUBSYSTEM!="usb", GOTO="nfctool_end"
            ENV{DEVTYPE}!="usb_device", GOTO="nfctool_end"

            \(lines.joined(separator: "\n"))

            LABEL="nfctool_end"

            """
    }

    private static var blacklistText: String {
        """
        # Keeps the kernel's own NFC drivers away from the readers that libnfc drives. Programs that use the kernel's NFC stack, such as
        # neard, then cannot use these readers.
        # Install as \(SystemFile.blacklist.path); made by `nfctool doctor --print blacklist`.
        \(KernelModules.inTheWay.map { "blacklist \($0)" }.joined(separator: "\n"))

        """
    }
}

extension UInt16 {
    /// Four lowercase digits, as lsusb and udev write vendors and products.
    package var hexDigits: String { hex.lowercased() }
}
