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
            # Who may use the NFC readers that libnfc drives over USB: whoever sits at this machine, and the group \(group).
            # Belongs in \(SystemFile.rules.path); made by `nfctool doctor --print rules`.
            #
            # 93, since libccid's 92-libccid.rules may give some of them to pcscd, and the last word counts: pcscd 2.4, which is a user of
            # its own, then cannot use them. That is behind systemd's 73-seat-late.rules, which lets in who sits here (uaccess), so this is
            # asked for here.
            ACTION=="remove", GOTO="nfctool_end"
            SUBSYSTEM!="usb", GOTO="nfctool_end"
            ENV{DEVTYPE}!="usb_device", GOTO="nfctool_end"

            \(lines.joined(separator: "\n"))

            LABEL="nfctool_end"

            """
    }

    private static var blacklistText: String {
        """
        # Keeps the kernel's own NFC drivers off the readers that libnfc drives; programs of the kernel's NFC (neard) then lose theirs.
        # Belongs in \(SystemFile.blacklist.path); made by `nfctool doctor --print blacklist`.
        \(KernelModules.inTheWay.map { "blacklist \($0)" }.joined(separator: "\n"))

        """
    }
}

extension UInt16 {
    /// Four lowercase digits, as lsusb and udev write vendors and products.
    package var hexDigits: String { hex.lowercased() }
}
