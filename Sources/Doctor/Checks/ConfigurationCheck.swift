// The effect of libnfc's configuration files and environment variables — libnfc 1.8, libnfc.conf

import USBReaders

extension Diagnosis {
    /// Checks libnfc's settings, which may prevent a command that names no reader from finding connected readers.
    var configuration: [Examination] {
        let settings = system.configuration
        var found: [Examination] = []
        if wanted == nil {
            found += settings.devices.filter { !$0.isOptional }.compactMap(lost)
            if !settings.allowsAutoscan { found.append(noScan) }
        }
        if settings.allowsIntrusiveScan {
            found.append(
                .warning(
                    .configuration, "probes every serial port each time (allow_intrusive_scan)",
                    Remedy(
                        cause:
                            "libnfc sends commands to every device on a serial port. This takes a long time and may disturb the devices.",
                        steps: switchingOff("allow_intrusive_scan", variable: "LIBNFC_INTRUSIVE_SCAN"),
                        isAutomatic: false)))
        }
        guard found.isEmpty else { return found }
        let names = settings.devices.map { "\($0.connection) (\($0.source))" }.joined(separator: ", ")
        return [.ok(.configuration, names.isEmpty ? "default settings" : "set to use \(names)")]
    }

    /// Returns the problem with a device that libnfc's settings name but that is not connected.
    ///
    /// Nil if it is connected.
    private func lost(_ device: LibNFCConfiguration.Device) -> Examination? {
        let subject = Subject(named: device.connection, in: survey)
        let isThere =
            survey.readers.contains { $0.reader.connection == device.connection } || presence(subject).status == .ok
        guard !isThere else { return nil }
        let isVariable = !device.source.hasPrefix("/")
        return .problem(
            .configuration, .noReader, "\(device.source) names \(device.connection), which does not exist",
            Remedy(
                cause: "libnfc tries readers that are named there before any others.",
                steps: [
                    isVariable
                        ? .run(["unset", device.source], needsRoot: false)
                        : .run(["sudoedit", device.source], needsRoot: false)
                ],
                note: isVariable ? nil : "Comment out this device: put a # before its name and connstring lines.",
                isAutomatic: false))
    }

    private var noScan: Examination {
        let steps = switchingOff("allow_autoscan", variable: "LIBNFC_AUTO_SCAN")
        guard system.configuration.devices.isEmpty else {
            return .warning(
                .configuration, "libnfc looks only for named readers (allow_autoscan = false)",
                Remedy(
                    cause: "libnfc does not list USB readers that are plugged in.", steps: steps, isAutomatic: false))
        }
        return .problem(
            .configuration, .noReader, "libnfc does not look for readers, and none is named (allow_autoscan = false)",
            Remedy(
                cause: "libnfc's configuration turns off the search for readers and names no reader.",
                steps: steps,
                isAutomatic: false))
    }

    /// Returns the steps that reset a setting to its default.
    private func switchingOff(_ key: String, variable: String) -> [SystemStep] {
        if system.configuration.environment[variable] != nil { return [.run(["unset", variable], needsRoot: false)] }
        return system.configuration.files.prefix(1).map { .root("sed", "-i", "s/^[[:space:]]*\(key)/#&/", $0) }
    }
}
