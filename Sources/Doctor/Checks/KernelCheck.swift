// The kernel's own NFC drivers, from which libnfc never takes over an interface

import USBReaders

extension Diagnosis {
    /// Checks whether a kernel driver has claimed the reader.
    func kernelDriver(_ subject: Subject) -> Examination {
        guard let reader = subject.usb?.reader else {
            return .notApplicable(.kernelDriver, "no USB reader", reader: subject.name)
        }
        guard let driver = reader.kernelDriver else {
            return .ok(.kernelDriver, "none has claimed it", reader: subject.name)
        }
        let isModule = system.modules.loaded.contains { $0.name == driver }
        let isForbidden = system.modules.blacklisted.contains { $0.module == driver }
        let since = isForbidden ? " The driver is blacklisted, but was loaded earlier or manually." : ""
        let interface = reader.interfaces.first { $0.kernelDriver == driver }?.number ?? 0
        return .problem(
            .kernelDriver, .busy, "the kernel's \(driver) has claimed it", reader: subject.name,
            Remedy(
                cause:
                    "The kernel driver \(driver) has claimed the reader, so \(subject.isSmartCardReader ? "pcscd" : "libnfc") cannot claim it.\(since)",
                steps: [
                    isModule
                        ? .root("modprobe", "-r", driver)
                        : .write("\(reader.port):1.\(interface)", path: "/sys/bus/usb/drivers/\(driver)/unbind")
                ]),
            facts: ["driver": .text(driver)])
    }

    private func isTakenByKernel(_ subject: Subject) -> Bool { subject.usb?.reader.kernelDriver != nil }

    /// Checks whether the kernel is prevented from claiming the readers the next time they are plugged in.
    var blacklist: Examination {
        let modules = system.modules
        let isConcerned = subjects.contains { $0.usb?.reader.model.drive?.quirks.contains(.claimedByPN533) ?? false }
        let missing = modules.missingFromBlacklist
        let loaded = modules.loaded.map(\.name).filter { KernelModules.inTheWay.contains($0) }
        guard isConcerned else { return .notApplicable(.blacklist, "no reader that a kernel driver would claim") }
        let facts: [String: Fact] = ["missing": .list(missing), "loaded": .list(loaded)]
        // Plugging in a reader loads pn533_usb, which loads the other two modules.
        if !missing.contains("pn533_usb") {
            let still = loaded.isEmpty ? "" : "; still loaded: \(loaded.joined(separator: ", "))"
            return .ok(.blacklist, "the kernel's NFC drivers are blacklisted\(still)", facts: facts)
        }
        let isPartial = missing.count < KernelModules.inTheWay.count
        let what = missing.joined(separator: ", ")
        return .warning(
            .blacklist,
            isPartial ? "incomplete: \(what) \(missing.count == 1 ? "is" : "are") missing" : "not installed",
            Remedy(
                cause: isPartial
                    ? "As long as \(what) may be loaded, the kernel can claim the reader the next time it is plugged "
                        + "in."
                    : "If the kernel has NFC drivers, it loads them when a reader is plugged in, and they claim the "
                        + "reader.",
                // If no driver is loaded and none has claimed a reader, --fix need not blacklist the drivers.
                steps: [.install(.blacklist)], isAutomatic: !loaded.isEmpty || subjects.contains(where: isTakenByKernel)
            ),
            facts: facts)
    }
}
