// What this program runs on: hardware, a virtual machine, a container

/// What stands between this program and the hardware.
public struct HostMachine: Hashable, Sendable {
    /// The virtual machine this is, by the name its firmware says (`QEMU`, `VirtualBox` …), `virtual machine` when it says
    /// none; nil on hardware.
    public let virtualMachine: String?
    /// The container this is (`docker`, `podman`, `lxc` …); nil when it is none.
    public let container: String?
    /// Whether the kernel has a USB bus at all, /sys/bus/usb.
    public let hasUSB: Bool
    /// Whether there are device nodes for it, /dev/bus/usb: containers often lack them.
    public let hasUSBNodes: Bool

    /// Creates a machine.
    public init(
        virtualMachine: String? = nil, container: String? = nil, hasUSB: Bool = true, hasUSBNodes: Bool = true
    ) {
        self.virtualMachine = virtualMachine
        self.container = container
        self.hasUSB = hasUSB
        self.hasUSBNodes = hasUSBNodes
    }
}
