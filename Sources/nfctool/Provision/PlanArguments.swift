// Values of a plan's settings as arguments — CLI.md, provision

public import ArgumentParser
public import Provisioning

extension RequiredChip: ExpressibleByArgument {
    public init?(argument: String) { self.init(named: argument) }

    public static var allValueStrings: [String] { all.map(\.name) }
}

extension RowSettings.Overwrite: ExpressibleByArgument {}
