// Problems with a reader: surveys as values, with names that users would give them

package import Doctor
package import ReaderInterface
package import USBReaders

/// A system in a certain state, and the results of opening its readers.
package struct Situation: Sendable, CustomStringConvertible {
    package let name: String
    package let survey: ReaderSurvey
    package var wanted: String?
    package var listed: [ListedReader] = []
    package var openings: [String: Opening] = [:]

    package var description: String { name }

    package var diagnosis: Diagnosis { Diagnosis(survey, wanted: wanted, listed: listed, openings: openings) }
}

extension Situation {
    package static let all: [Situation] =
        healthy + absent + undriven + permissions + kernel + holders + machines + openings + settings + smartCards

    package static let healthy: [Situation] = [
        Situation(
            name: "healthy", survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            openings: [Part.acr122: Part.answers]),
        Situation(
            name: "two alike",
            survey: ReaderSurvey(
                readers: [Part.plugged(), Part.plugged(Part.reader(port: [3, 1], device: 7))], system: Part.system()),
            openings: [Part.acr122: Part.answers, "acr122_usb:001:007": Part.answers]),
        Situation(
            name: "one of two works",
            survey: ReaderSurvey(
                readers: [
                    Part.plugged(),
                    Part.plugged(Part.reader(0x04E6, 0x5591, port: [3], device: 7, driver: "pn533_usb")),
                ],
                system: Part.system(modules: Part.modules(loaded: ["pn533_usb", "pn533", "nfc"]))),
            openings: [Part.acr122: Part.answers]),
    ]

    package static let absent: [Situation] = [
        Situation(name: "nothing plugged in", survey: ReaderSurvey(readers: [], system: Part.system())),
        Situation(
            name: "serial adapter only",
            survey: ReaderSurvey(
                readers: [],
                serialPorts: [Part.serialPort(stable: ["/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0"])],
                system: Part.system())),
        Situation(
            name: "adapter taken from its driver",
            survey: ReaderSurvey(
                readers: [], portlessAdapters: [Part.reader(0x1A86, 0x7523, port: [3], driver: "usbfs")],
                system: Part.system(modules: Part.modules(loaded: ["ch341"]))),
            wanted: "pn532_uart:/dev/ttyUSB0"),
        Situation(
            name: "adapter without its driver",
            survey: ReaderSurvey(
                readers: [], portlessAdapters: [Part.reader(0x10C4, 0xEA60, port: [3])], system: Part.system())),
        Situation(
            name: "no such port", survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            wanted: "usb:1-9"),
        Situation(
            name: "number changed", survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            wanted: "acr122_usb:001:003"),
        Situation(
            name: "no such serial port", survey: ReaderSurvey(readers: [], system: Part.system()),
            wanted: "pn532_uart:/dev/ttyUSB3"),
    ]

    package static let undriven: [Situation] = [
        Situation(
            name: "ACR1252U",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(0x072F, 0x223B))], system: Part.system())),
        Situation(
            name: "RC-S380",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(0x054C, 0x06C1))], system: Part.system())),
        Situation(
            name: "RC-S380 by its port",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(0x054C, 0x06C1))], system: Part.system()),
            wanted: "usb:1-2"),
    ]

    private static func denied(
        _ name: String, _ ownership: NodeAccess.Ownership, user: SessionUser = Part.someone(), rules: [UdevRule] = []
    ) -> Situation {
        Situation(
            name: name,
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(), .readOnly, ownership, rules: rules)],
                system: Part.system(user: user)))
    }

    package static let permissions: [Situation] = [
        denied("no rule", Part.ownership()),
        denied("not in the group", Part.ownership("plugdev", number: 46)),
        denied("at the seat", Part.ownership("plugdev", number: 46), user: Part.someone(atSeat: true)),
        denied(
            "at the seat with a new rule", Part.ownership(), user: Part.someone(atSeat: true),
            rules: [Part.rule("/etc/udev/rules.d/70-nfc.rules", uaccess: true)]),
        denied("not logged in again", Part.ownership("plugdev", number: 46), user: Part.someone(soon: ["plugdev"])),
        denied(
            "rule too early", Part.ownership("pcscd", number: 110), user: Part.someone(in: ["plugdev"]),
            rules: [Part.rule("/etc/udev/rules.d/40-nfc.rules", group: "plugdev")]),
        denied(
            "not plugged in since", Part.ownership(), user: Part.someone(in: ["plugdev"]),
            rules: [Part.rule("/lib/udev/rules.d/93-pn53x.rules", group: "plugdev")]),
        denied(
            "neither plugged in since nor in the group", Part.ownership(),
            rules: [Part.rule("/lib/udev/rules.d/93-pn53x.rules", group: "plugdev")]),
        denied(
            "rule without effect", Part.ownership(changed: 200), user: Part.someone(in: ["plugdev"]),
            rules: [Part.rule("/lib/udev/rules.d/93-pn53x.rules", group: "plugdev", modified: 100)]),
        denied(
            "our rule and no such group", Part.ownership(changed: 200),
            user: SessionUser(number: 1000, name: Part.user),
            rules: [Part.rule(SystemFile.rules.path, group: "plugdev", uaccess: true, modified: 100)]),
        denied(
            "uaccess over SSH", Part.ownership(),
            rules: [Part.rule("/etc/udev/rules.d/70-nfc.rules", uaccess: true)]),
        denied(
            "uaccess too late", Part.ownership(),
            rules: [Part.rule("/etc/udev/rules.d/99-nfc.rules", uaccess: true)]),
        Situation(
            name: "serial port of dialout",
            survey: ReaderSurvey(
                readers: [], serialPorts: [Part.serialPort(.noPermission)], system: Part.system(user: Part.someone())),
            wanted: "pn532_uart:/dev/ttyUSB0"),
    ]

    private static func bound(_ name: String, _ modules: KernelModules) -> Situation {
        Situation(
            name: name,
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(driver: "pn533_usb"))], system: Part.system(modules: modules)))
    }

    package static let kernel: [Situation] = [
        bound("kernel driver", Part.modules(loaded: ["pn533_usb", "pn533", "nfc"], blacklisted: [])),
        bound(
            "blacklist incomplete", Part.modules(loaded: ["pn533_usb", "pn533", "nfc"], blacklisted: ["nfc", "pn533"])),
        bound("blacklisted but loaded", Part.modules(loaded: ["pn533_usb", "pn533", "nfc"])),
        bound("driver in the kernel itself", Part.modules()),
        Situation(
            name: "pn533_usb alone is blacklisted",
            survey: ReaderSurvey(
                readers: [Part.plugged()], system: Part.system(modules: Part.modules(blacklisted: ["pn533_usb"]))),
            openings: [Part.acr122: Part.answers]),
        Situation(
            name: "no blacklist",
            survey: ReaderSurvey(
                readers: [Part.plugged()], system: Part.system(modules: Part.modules(blacklisted: []))),
            openings: [Part.acr122: Part.answers]),
    ]

    private static func held(
        _ name: String, _ holders: NodeHolders, daemon: SmartCardDaemon = SmartCardDaemon(), claimed: Bool = true
    ) -> Situation {
        Situation(
            name: name,
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(driver: claimed ? "usbfs" : nil), holders: holders)],
                system: Part.system(daemon: daemon)))
    }

    private static let daemon = Part.holder("pcscd", 612, user: 0)

    package static let holders: [Situation] = [
        held(
            "pcscd", NodeHolders(visible: [daemon]),
            daemon: SmartCardDaemon(process: daemon, socketUnit: .enabled, serviceUnit: .disabled, isListening: true)),
        held(
            "pcscd unseen", NodeHolders(hidden: 90, suspects: [daemon]),
            daemon: SmartCardDaemon(process: daemon, socketUnit: .enabled, serviceUnit: .disabled, isListening: true)),
        held("pcscd by hand", NodeHolders(visible: [daemon]), daemon: SmartCardDaemon(process: daemon)),
        held("another program", NodeHolders(visible: [Part.holder("python3", 4711)])),
        held("a service of root", NodeHolders(visible: [Part.holder("neard", 801, user: 0)])),
        held("held unseen", NodeHolders(hidden: 90)),
        Situation(
            name: "held while pcscd is seen idle",
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(driver: "usbfs"))],
                system: Part.system(
                    daemon: SmartCardDaemon(process: daemon, socketUnit: .enabled, serviceUnit: .disabled)))),
        Situation(
            name: "claimed from outside",
            survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            openings: [Part.acr122: .failed(.busy, message: "")]),
        Situation(
            name: "held by a program that has ended",
            survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            openings: [Part.acr122: .held(by: "nfctool (process 356)")]),
        Situation(
            name: "held beside a program that looks",
            survey: ReaderSurvey(
                readers: [
                    Part.plugged(
                        holders: NodeHolders(visible: [
                            Part.holder("fwupd", 812, user: 0), Part.holder("nfctool", 356),
                        ]))
                ], system: Part.system()),
            openings: [Part.acr122: .held(by: "nfctool (process 356)")]),
        Situation(
            name: "pcscd waits",
            survey: ReaderSurvey(
                readers: [Part.plugged()],
                system: Part.system(
                    daemon: SmartCardDaemon(socketUnit: .enabled, serviceUnit: .disabled, isListening: true))),
            openings: [Part.acr122: Part.answers]),
        Situation(
            name: "ModemManager on the port",
            survey: ReaderSurvey(
                readers: [],
                serialPorts: [
                    Part.serialPort(holders: NodeHolders(visible: [Part.holder("ModemManager", 700, user: 0)]))
                ],
                system: Part.system(user: Part.someone(in: ["dialout"]))),
            wanted: "pn532_uart:/dev/ttyUSB0"),
    ]

    package static let machines: [Situation] = [
        Situation(
            name: "container without the node",
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(), .missing, nil)],
                system: Part.system(machine: HostMachine(container: "docker", hasUSBNodes: false)))),
        Situation(
            name: "container without the right",
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(), .notPermitted)],
                system: Part.system(machine: HostMachine(container: "docker")))),
        Situation(
            name: "virtual machine without readers",
            survey: ReaderSurvey(readers: [], system: Part.system(machine: HostMachine(virtualMachine: "VirtualBox")))),
        Situation(
            name: "machine without USB",
            survey: ReaderSurvey(
                readers: [], system: Part.system(machine: HostMachine(hasUSB: false, hasUSBNodes: false)))),
        Situation(
            name: "container in a virtual machine without USB",
            survey: ReaderSurvey(
                readers: [],
                system: Part.system(
                    machine: HostMachine(
                        virtualMachine: "kvm", container: "docker", hasUSB: false, hasUSBNodes: false)))),
        Situation(
            name: "mute in a virtual machine",
            survey: ReaderSurvey(
                readers: [Part.plugged()], system: Part.system(machine: HostMachine(virtualMachine: "QEMU"))),
            openings: [Part.acr122: Part.mute]),
        Situation(
            name: "no udev",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(), .missing, nil)], system: Part.system())),
    ]

    package static let openings: [Situation] = [
        Situation(
            name: "ACR122U mute", survey: ReaderSurvey(readers: [Part.plugged()], system: Part.system()),
            openings: [Part.acr122: Part.mute]),
        Situation(
            name: "PN533 mute",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(0x04CC, 0x2533))], system: Part.system()),
            openings: ["pn53x_usb:001:004": Part.mute]),
        Situation(
            name: "board mute",
            survey: ReaderSurvey(
                readers: [], serialPorts: [Part.serialPort()], system: Part.system(user: Part.someone(in: ["dialout"]))),
            wanted: "pn532_uart:/dev/ttyUSB0", openings: ["pn532_uart:/dev/ttyUSB0": Part.mute]),
        Situation(
            name: "node of a gone reader",
            survey: ReaderSurvey(readers: [Part.plugged(Part.reader(), .deviceGone)], system: Part.system())),
    ]

    private static func told(
        _ name: String, _ settings: LibNFCConfiguration, readers: [SurveyedReader] = [Part.plugged()]
    ) -> Situation {
        Situation(
            name: name, survey: ReaderSurvey(readers: readers, system: Part.system(settings: settings)),
            openings: readers.isEmpty ? [:] : [Part.acr122: Part.answers])
    }

    package static let settings: [Situation] = [
        told(
            "LIBNFC_DEVICE leads nowhere",
            LibNFCConfiguration(
                devices: [.init(connection: "pn532_uart:/dev/ttyUSB7", source: "LIBNFC_DEVICE")],
                environment: ["LIBNFC_DEVICE": "pn532_uart:/dev/ttyUSB7"])),
        Situation(
            name: "LIBNFC_DEVICE names a port that is not there",
            survey: ReaderSurvey(
                readers: [Part.plugged()], serialPorts: [SerialPort(node: "/dev/ttyS9", access: Part.missing)],
                system: Part.system(
                    settings: LibNFCConfiguration(
                        devices: [.init(connection: "pn532_uart:/dev/ttyS9", source: "LIBNFC_DEVICE")],
                        environment: ["LIBNFC_DEVICE": "pn532_uart:/dev/ttyS9"]))),
            openings: [Part.acr122: Part.answers]),
        told(
            "libnfc.conf leads nowhere",
            LibNFCConfiguration(
                files: ["/etc/nfc/libnfc.conf"],
                devices: [.init(name: "old", connection: "acr122_usb:001:009", source: "/etc/nfc/libnfc.conf")])),
        told(
            "no scan, no device",
            LibNFCConfiguration(files: ["/etc/nfc/libnfc.conf"], allowsAutoscan: false)),
        told(
            "intrusive scan",
            LibNFCConfiguration(files: ["/etc/nfc/libnfc.conf"], allowsIntrusiveScan: true)),
    ]
}
