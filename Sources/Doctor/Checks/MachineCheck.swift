// A virtual machine or a container between this program and the reader

import USBReaders

extension Diagnosis {
    var machine: Examination {
        let machine = system.machine
        let place = [machine.container.map { "a \($0) container" }, machine.virtualMachine.map { "virtual (\($0))" }]
            .compactMap { $0 }.joined(separator: ", ")
        guard !place.isEmpty else { return .ok(.machine, "no virtual machine, no container") }
        let facts: [String: Fact] = [
            "virtualMachine": .text(machine.virtualMachine ?? ""), "container": .text(machine.container ?? ""),
        ]
        let isMute = subjects.contains { subject in
            if case .failed(.readerFailed, _) = opening(of: subject) { subject.usb != nil } else { false }
        }
        guard machine.virtualMachine != nil, isMute else { return .ok(.machine, place, facts: facts) }
        return .warning(
            .machine, place,
            Remedy(
                cause: "Readers that are passed through to a virtual machine often answer too late for libnfc, or "
                    + "not at all.",
                note: """
                    Try the reader on the host. Or, in the virtual machine's settings, select USB 2 (EHCI) instead of USB 1.1 or 3.
                    """),
            facts: facts)
    }

    /// Instructions for passing a reader through to this virtual machine, or nil on a physical machine.
    var passThrough: Remedy.Note? {
        guard let name = system.machine.virtualMachine?.lowercased() else { return nil }
        let host = { (words: String, command: String...) in
            Remedy.Note(words, .run(command, needsRoot: false))
        }
        switch name {
        case "virtualbox":
            return host(
                "On the host, attach the reader (VBoxManage list vms shows NAME, VBoxManage list usbhost shows "
                    + "UUID):", "VBoxManage", "controlvm",
                "NAME",
                "usbattach", "UUID")
        case "qemu", "kvm":
            return host(
                "On the host, start the virtual machine with the reader (lsusb shows its IDs):", "qemu-system-x86_64",
                "-device",
                "usb-host,vendorid=0x072f,productid=0x2200")
        case "wsl":
            return host(
                "On Windows, once as administrator, run usbipd bind --busid ID (usbipd list shows the ID), "
                    + "then:", "usbipd",
                "attach", "--wsl", "--busid", "ID")
        case "vmware": return "On the host, attach the reader: VM > Removable Devices > the reader > Connect."
        case "hyper-v": return "Hyper-V cannot pass USB devices through. WSL can, with usbipd."
        default: return "On the host, attach the reader to this machine in the virtual machine's settings."
        }
    }
}
