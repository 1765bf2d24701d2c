// Values of a plan's settings as arguments — Docs/CommandLine.md, provision

public import ArgumentParser
public import Provisioning

extension RequiredChip {
    /// The chip with this name.
    ///
    /// The error lists the names, because more than thirty would fill the help.
    static func named(_ name: String) throws -> RequiredChip {
        guard let chip = RequiredChip(named: name) else {
            throw ValidationError("Known chips: \(all.map(\.name).joined(separator: ", ")).")
        }
        return chip
    }
}

extension RowSettings.Overwrite: ExpressibleByArgument {}
