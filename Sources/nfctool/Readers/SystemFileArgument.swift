// A system file as the argument of `doctor --print`

public import ArgumentParser
public import Doctor

extension SystemFile: ExpressibleByArgument {}
