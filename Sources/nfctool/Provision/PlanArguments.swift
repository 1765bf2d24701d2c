// Values of a plan's settings as arguments — Docs/CommandLine.md, provision

public import ArgumentParser
public import Provisioning

extension RequiredChip: ExpressibleByArgument {
    /// The chip of this name; nil for none.
    public init?(argument: String) { self.init(named: argument) }

    /// The names in the help.
    public static var allValueStrings: [String] { all.map(\.name) }
}

extension RowSettings.Overwrite: ExpressibleByArgument {}
