// The device node of a reader

import USBReaders

extension Diagnosis {
    /// Checks the device node of a reader.
    ///
    /// In a container, the node is often missing or inaccessible.
    func node(_ subject: Subject) -> Examination {
        guard !subject.isSmartCardReader else {
            return .notApplicable(.node, "opened by pcscd", reader: subject.name)
        }
        guard let access = subject.node?.access else {
            return .notApplicable(.node, "none", reader: subject.name)
        }
        switch access.verdict {
        case .missing:
            if system.machine.container != nil {
                return outOfContainer(subject, "\(access.path) is not in this container")
            }
            // A port that the user named may not exist, but the presence check reports this.
            guard subject.usb != nil else { return .notApplicable(.node, "none", reader: subject.name) }
            return .problem(
                .node, .noReader, "\(access.path) does not exist", reader: subject.name,
                Remedy(
                    cause:
                        "The kernel sees the reader, but this /dev is not the kernel's own, so the device node is "
                        + "missing here.",
                    note: "In a chroot, run nfctool outside the chroot, or mount the machine's /dev in it."))
        case .notPermitted:
            if system.machine.container != nil {
                return outOfContainer(subject, "this container may not open \(access.path)")
            }
            return .problem(
                .node, .noPermission, "no user here may open \(access.path)", reader: subject.name,
                Remedy(
                    cause:
                        "The kernel does not let this program open the device, no matter which user runs it. The "
                        + "program runs in a sandbox or a device cgroup.",
                    note: "Run nfctool outside the sandbox."))
        case .deviceGone:
            return .problem(
                .node, .readerFailed, "\(access.path) exists, but the reader is gone", reader: subject.name,
                Remedy(cause: "The reader was unplugged, or its USB port has disabled it.", note: Self.replug))
        case .failed(let code):
            return .problem(
                .node, .readerFailed, "\(access.path) cannot be opened (error \(code))", reader: subject.name,
                Remedy(cause: "The kernel could not open the reader.", note: Self.replug))
        case .granted, .readOnly, .noPermission, .busy: return .ok(.node, access.path, reader: subject.name)
        }
    }

    static let replug: Remedy.Note =
        "Unplug the reader, wait two seconds, and plug it in again, directly into the computer rather than into a hub."

    /// The command that starts a container with the USB readers of its machine.
    ///
    /// 189 is the major number of USB devices (Linux, admin-guide/devices.txt). A mapping of a single node is lost the
    /// next time the reader is plugged in.
    static let withUSB = SystemStep.run(
        ["docker", "run", "-v", "/dev/bus/usb:/dev/bus/usb", "--device-cgroup-rule", "c 189:* rmw", "IMAGE"],
        needsRoot: false)

    /// Returns a problem whose remedy is advice for the owner of the container.
    private func outOfContainer(_ subject: Subject, _ statement: String) -> Examination {
        let steps: SystemStep
        if case .serial(let port) = subject.place {
            steps = .run(["docker", "run", "--device=\(port.node)", "IMAGE"], needsRoot: false)
        } else {
            steps = Self.withUSB
        }
        return .problem(
            .node, .noPermission, statement, reader: subject.name,
            Remedy(
                cause: "The container was started without the reader. Outside the container, start it with:",
                steps: [steps],
                isAutomatic: false))
    }
}
