// Values of a plan's settings as arguments — Docs/CommandLine.md, provision

public import ArgumentParser
public import Provisioning

extension RequiredChip {
    /// The chip of this name; more than thirty names would fill the help, so the refusal lists them.
    static func named(_ name: String) throws -> RequiredChip {
        guard let chip = RequiredChip(named: name) else {
            throw ValidationError("Known chips: \(all.map(\.name).joined(separator: ", ")).")
        }
        return chip
    }
}

extension RowSettings.Overwrite: ExpressibleByArgument {}
