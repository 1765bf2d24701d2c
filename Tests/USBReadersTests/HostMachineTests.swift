// Virtual machines, containers and machines without USB

import Testing
@testable import USBReaders

struct HostMachineTests {
    static let firmwareTexts: [(String, String, String)] = [
        ("sys_vendor", "QEMU", "QEMU"), ("product_name", "VirtualBox", "VirtualBox"),
        ("board_vendor", "innotek GmbH", "VirtualBox"), ("product_name", "VMware Virtual Platform", "VMware"),
        ("product_name", "KVM", "KVM"), ("sys_vendor", "Parallels Software International Inc.", "Parallels"),
    ]

    @Test("a virtual machine is recognised by its firmware", arguments: firmwareTexts)
    func firmwareText(attribute: String, text: String, name: String) throws {
        let system = try SystemCopy()
        try system.file("/sys/class/dmi/id/\(attribute)", text + "\n")
        #expect(HostMachine(root: system.root).virtualMachine == name)
    }

    @Test("Hyper-V, Xen, WSL and an unnamed hypervisor are recognised; hardware and Xen's first domain are not virtual")
    func others() throws {
        let system = try SystemCopy()
        #expect(HostMachine(root: system.root) == HostMachine(hasUSB: false, hasUSBNodes: false))
        try system.file("/sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n")
        #expect(HostMachine(root: system.root).virtualMachine == nil)
        try system.file("/sys/class/dmi/id/product_name", "Virtual Machine\n")
        #expect(HostMachine(root: system.root).virtualMachine == "Hyper-V")
        let xen = try SystemCopy()
        try xen.file("/sys/hypervisor/type", "xen\n")
        #expect(HostMachine(root: xen.root).virtualMachine == "Xen")
        try xen.file("/proc/xen/capabilities", "control_d\n")
        #expect(HostMachine(root: xen.root).virtualMachine == nil)
        let silent = try SystemCopy()
        try silent.file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor lahf_lm\n")
        #expect(HostMachine(root: silent.root).virtualMachine == "virtual machine")
        try silent.file("/proc/sys/kernel/osrelease", "5.15.90.1-microsoft-standard-WSL2\n")
        #expect(HostMachine(root: silent.root).virtualMachine == "WSL")
    }

    @Test("a container is recognised by its marker, and a machine without USB by its missing folders")
    func containers() throws {
        for (path, text, name) in [
            ("/run/systemd/container", "lxc\n", "lxc"), ("/.dockerenv", "", "docker"),
            ("/run/.containerenv", "", "podman"),
            ("/proc/1/cgroup", "0::/kubepods/pod1\n", "kubernetes"), ("/proc/1/cgroup", "0::/init.scope\n", nil),
        ] as [(String, String, String?)] {
            let system = try SystemCopy()
            try system.file(path, text).folder("/sys/bus/usb")
            let machine = HostMachine(root: system.root)
            #expect(machine.container == name, "\(path)")
            #expect(machine.hasUSB && !machine.hasUSBNodes)
        }
    }
}
