// The two files that a system needs to make readers work for all users — udev(7), modprobe.d(5)

import Hexadecimal
import USBReaders

/// A file that the doctor installs.
///
/// Docs/ contains copies, and a test compares them with these files.
public enum SystemFile: String, CaseIterable, Sendable {
    /// The udev rules that determine who may open the readers.
    case rules
    /// The list of kernel modules that must not be loaded.
    case blacklist

    /// The path of the installed file.
    ///
    /// The rules have the number 93, because libccid's rules (92) assign smart-card readers to pcscd's group, and the
    /// last rule wins.
    public var path: String {
        switch self {
        case .rules: "/etc/udev/rules.d/93-nfctool.rules"
        case .blacklist: "/etc/modprobe.d/nfctool.conf"
        }
    }

    /// The content of the file.
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
            # The number 93 comes after libccid's 92-libccid.rules, which may give some of these readers to pcscd: the last rule wins.
            # pcscd 2.4 runs as a separate user, so it then cannot use them. 93 also comes after systemd's 73-seat-late.rules, which gives
            # access to the user at the screen (uaccess), so these rules request it themselves.
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
    /// The ID as four lowercase hexadecimal digits, as in lsusb and udev.
    package var hexDigits: String { hex.lowercased() }
}
