// What libnfc's files and environment make it do — libnfc 1.8, libnfc.conf

import USBReaders

extension Diagnosis {
    /// libnfc's settings: what makes a command that names no reader miss those that are there.
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
                    .configuration, "every serial port is tried each time (allow_intrusive_scan)",
                    Remedy(
                        cause: "libnfc speaks to whatever is on a serial port, which may disturb it, and takes long.",
                        steps: switchingOff("allow_intrusive_scan", variable: "LIBNFC_INTRUSIVE_SCAN"),
                        isAutomatic: false)))
        }
        guard found.isEmpty else { return found }
        let names = settings.devices.map { "\($0.connection) (\($0.source))" }.joined(separator: ", ")
        return [.ok(.configuration, names.isEmpty ? "its settings are the usual ones" : "it is told to use \(names)")]
    }

    /// A device that libnfc lists first without looking whether it is there.
    private func lost(_ device: LibNFCConfiguration.Device) -> Examination? {
        let subject = Subject(named: device.connection, in: survey)
        let isThere =
            survey.readers.contains { $0.reader.connection == device.connection } || presence(subject).status == .ok
        guard !isThere else { return nil }
        let isVariable = !device.source.hasPrefix("/")
        return .problem(
            .configuration, .noReader, "\(device.source) names \(device.connection), which is not there",
            Remedy(
                cause: "libnfc takes a reader that is named as there, and before any other.",
                steps: [
                    isVariable
                        ? .run(["unset", device.source], needsRoot: false)
                        : .run(["sudoedit", device.source], needsRoot: false)
                ],
                note: isVariable ? nil : "Put a # before the lines of this device, its name and its connstring.",
                isAutomatic: false))
    }

    private var noScan: Examination {
        let steps = switchingOff("allow_autoscan", variable: "LIBNFC_AUTO_SCAN")
        guard system.configuration.devices.isEmpty else {
            return .warning(
                .configuration, "only named readers are looked for (allow_autoscan = false)",
                Remedy(
                    cause: "libnfc does not list USB readers that are plugged in.", steps: steps, isAutomatic: false))
        }
        return .problem(
            .configuration, .noReader, "it looks for no reader, and none is named (allow_autoscan = false)",
            Remedy(
                cause: "libnfc was told not to look for readers, and which one to use it was not told.", steps: steps,
                isAutomatic: false))
    }

    /// How a setting gets its default back.
    private func switchingOff(_ key: String, variable: String) -> [SystemStep] {
        if system.configuration.environment[variable] != nil { return [.run(["unset", variable], needsRoot: false)] }
        return system.configuration.files.prefix(1).map { .root("sed", "-i", "s/^[[:space:]]*\(key)/#&/", $0) }
    }
}
