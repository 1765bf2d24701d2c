// The platform of this program: hardware, a virtual machine or a container

/// The platform between this program and the hardware.
public struct HostMachine: Hashable, Sendable {
    /// The name of the virtual machine (such as `QEMU` or `VirtualBox`); nil on hardware.
    ///
    /// The name is `virtual machine` if neither the firmware nor the kernel gives a name.
    public let virtualMachine: String?
    /// The name of the container (such as `docker`, `podman` or `lxc`); nil outside a container.
    public let container: String?
    /// Whether the kernel has a USB bus (/sys/bus/usb).
    public let hasUSB: Bool
    /// Whether the USB bus has device nodes (/dev/bus/usb).
    ///
    /// Containers often lack them.
    public let hasUSBNodes: Bool

    /// Creates a description of a machine.
    public init(
        virtualMachine: String? = nil, container: String? = nil, hasUSB: Bool = true, hasUSBNodes: Bool = true
    ) {
        self.virtualMachine = virtualMachine
        self.container = container
        self.hasUSB = hasUSB
        self.hasUSBNodes = hasUSBNodes
    }
}

extension HostMachine {
    init(root: SystemRoot) {
        self.init(
            virtualMachine: Self.virtualMachine(root), container: Self.container(root),
            hasUSB: root.exists("/sys/bus/usb"), hasUSBNodes: root.exists("/dev/bus/usb"))
    }

    /// Words in the firmware's descriptions of itself, the system and the board (SMBIOS), and the virtual machines that
    /// they identify.
    private static let firmware: [(word: String, name: String)] = [
        ("QEMU", "QEMU"), ("KVM", "KVM"), ("VMware", "VMware"), ("VirtualBox", "VirtualBox"),
        ("innotek GmbH", "VirtualBox"), ("Parallels", "Parallels"), ("Bochs", "Bochs"), ("BHYVE", "bhyve"),
        ("Hyper-V", "Hyper-V"), ("Amazon EC2", "Amazon EC2"), ("Google Compute Engine", "Google Compute Engine"),
        ("OpenStack", "OpenStack"), ("Apple Virtualization", "Apple Virtualization"), ("Xen", "Xen"),
    ]

    private static func virtualMachine(_ root: SystemRoot) -> String? {
        if root.attribute("/proc/sys/kernel/osrelease")?.lowercased().contains("microsoft") == true { return "WSL" }
        let said = ["sys_vendor", "product_name", "product_version", "board_vendor", "bios_vendor"]
            .compactMap { root.attribute("/sys/class/dmi/id/\($0)") }
        if let (_, name) = firmware.first(where: { row in said.contains { $0.contains(row.word) } }) { return name }
        // Hyper-V gives no more information than this.
        if said.contains("Microsoft Corporation") && said.contains("Virtual Machine") { return "Hyper-V" }
        // The first domain of Xen has direct access to the hardware.
        if root.attribute("/sys/hypervisor/type") == "xen" {
            return root.attribute("/proc/xen/capabilities")?.contains("control_d") == true ? nil : "Xen"
        }
        if root.exists("/proc/device-tree/hypervisor") { return "virtual machine" }
        let flags = root.lines("/proc/cpuinfo", limit: 1 << 16).first { $0.hasPrefix("flags") } ?? ""
        return flags.split(separator: " ").contains("hypervisor") ? "virtual machine" : nil
    }

    private static func container(_ root: SystemRoot) -> String? {
        if let name = root.attribute("/run/systemd/container") { return name }
        if root.exists("/.dockerenv") { return "docker" }
        if root.exists("/run/.containerenv") { return "podman" }
        let groups = root.text("/proc/1/cgroup", limit: 1 << 14) ?? ""
        let words = [("docker", "docker"), ("libpod", "podman"), ("kubepods", "kubernetes"), ("lxc", "lxc")]
        return words.first { groups.contains($0.0) }?.1
    }
}
