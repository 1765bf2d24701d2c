// A virtual machine or a container between this program and the reader

import USBReaders

extension Diagnosis {
    var machine: Examination {
        let machine = system.machine
        let place = [machine.container.map { "a \($0) container" }, machine.virtualMachine.map { "virtual (\($0))" }]
            .compactMap { $0 }.joined(separator: ", ")
        guard !place.isEmpty else { return .ok(.machine, "no virtual machine, no container") }
        let facts: [String: FailureDetail] = [
            "virtualMachine": .text(machine.virtualMachine ?? ""), "container": .text(machine.container ?? ""),
        ]
        let isMute = subjects.contains { subject in
            if case .failed(.readerIO, _) = opening(of: subject) { subject.usb != nil } else { false }
        }
        guard machine.virtualMachine != nil, isMute else { return .ok(.machine, place, facts: facts) }
        return .warning(
            .machine, place,
            Remedy(
                cause: "Readers that are handed to a virtual machine often answer too late for libnfc, or not at all.",
                note: "Try it on the host. In the machine's settings take USB 2 (EHCI) instead of USB 1.1 or 3."),
            facts: facts)
    }

    /// How a reader gets into this virtual machine; nil on hardware.
    var passThrough: Remedy.Note? {
        guard let name = system.machine.virtualMachine?.lowercased() else { return nil }
        if name == "virtualbox" {
            return "On the host, hand it over:  VBoxManage controlvm NAME usbattach UUID  (VBoxManage list usbhost names it)"
        }
        if name == "qemu" || name == "kvm" {
            return "On the host, hand it over:  qemu … -device usb-host,vendorid=0x072f,productid=0x2200  (lsusb names yours)"
        }
        if name == "wsl" {
            return "On Windows, hand it over:  usbipd attach --wsl --busid ID  (usbipd list names it)"
        }
        if name == "vmware" { return "On the host, hand it over:  VM > Removable Devices > the reader > Connect" }
        if name == "hyper-v" { return "Hyper-V hands no USB device over; run nfctool on the host, or in WSL with usbipd." }
        return "In the virtual machine's settings on the host, hand the reader over to this machine."
    }
}
