// udev rules that name a reader

import Testing
@testable import USBReaders

struct UdevRulesTests {
    private func rules(_ system: SystemCopy) -> [UdevRule] {
        UdevRules(root: system.root, vendors: [0x072F]).naming(vendor: 0x072F, product: 0x2200)
    }

    @Test(
        "a rule that names the reader is found in each way it can be written",
        arguments: [
            #"SUBSYSTEM=="usb", ATTR{idVendor}=="072f", ATTR{idProduct}=="2200", MODE="0664", GROUP="plugdev""#,
            #"ATTRS{idVendor}==i"072F", ATTRS{idProduct}=="2200", MODE:="664", GROUP:="plugdev""#,
            #"  ENV{ID_VENDOR_ID}=="072f"  ENV{ID_MODEL_ID}=="2200"  MODE = "664"  GROUP = "plugdev""#,
            #"ATTRS{idVendor}=="04e6|072f", ATTRS{idProduct}=="22*", GROUP="root", GROUP="plugdev", MODE="0664""#,
            "ATTRS{idVendor}==\"072f\", \\\n  ATTRS{idProduct}==\"2200\", \\\n  MODE=\"0664\", GROUP=\"plugdev\"",
        ])
    func ways(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/udev/rules.d/93-a.rules", "# first\n" + line + "\n")
        let rule = try #require(rules(system).first)
        #expect(rule.line == 2 && rule.product == 0x2200)
        #expect(rule.mode == 0o664 && rule.group == "plugdev" && !rule.tagsUaccess)
        #expect(!rule.runsBeforeLibccid && rule.modified > 0)
    }

    @Test(
        "a line that names another reader, or excludes this one, is not one of its rules",
        arguments: [
            #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="90cc", MODE="0664""#,
            #"ATTRS{idVendor}=="072F", ATTRS{idProduct}=="2200", MODE="0664""#,
            #"ATTRS{idVendor}!="072f", MODE="0664""#, #"# ATTRS{idVendor}=="072f", MODE="0664""#,
            #"ENV{X}="072f", MODE="0664""#, #"ATTRS{idVendor}=="072f"#, #"ATTRS{idVendor}"072f", MODE="0664""#, "072f",
            "",
        ])
    func others(line: String) throws {
        let system = try SystemCopy()
        try system.file("/etc/udev/rules.d/93-a.rules", line + "\n")
        #expect(rules(system).isEmpty)
    }

    @Test("rules are in udev's order, by name in all folders; a file in /etc hides its namesake in /lib")
    func order() throws {
        let line = #"ATTRS{idVendor}=="072f", TAG+="uaccess""#
        let system = try SystemCopy()
        for path in [
            "/lib/udev/rules.d/93-pn53x.rules", "/lib/udev/rules.d/60-a.rules", "/etc/udev/rules.d/92-l.rules",
        ] {
            try system.file(path, line)
        }
        try system.file("/etc/udev/rules.d/60-a.rules", "\n" + line)
        let found = rules(system)
        #expect(
            found.map(\.file) == [
                "/etc/udev/rules.d/60-a.rules", "/etc/udev/rules.d/92-l.rules", "/lib/udev/rules.d/93-pn53x.rules",
            ])
        #expect(found.map(\.runsBeforeLibccid) == [true, true, false])
        #expect(found.map(\.tagsUaccessTooLate) == [false, true, true])
        #expect(found.map(\.product) == [nil, nil, nil])
    }

    @Test("a late rule that grants the user access directly is not too late")
    func builtin() throws {
        let system = try SystemCopy()
        try system.file(
            "/etc/udev/rules.d/93-a.rules", #"ATTRS{idVendor}=="072f", TAG+="uaccess", RUN{builtin}+="uaccess""#)
        #expect(rules(system).map(\.tagsUaccessTooLate) == [false])
    }

    @Test("a line cut off anywhere gives a rule or none, and never a rule with more than the line contains")
    func truncated() throws {
        let line = #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="2200", MODE="0664", GROUP="plugdev", TAG+="uaccess""#
        for end in 0...line.utf8.count {
            let terms = UdevTerm.terms(of: String(line.prefix(end)))
            #expect(terms == Array(UdevTerm.terms(of: line).prefix(terms.count)))
        }
        #expect(UdevTerm.terms(of: line).count == 5)
    }
}
