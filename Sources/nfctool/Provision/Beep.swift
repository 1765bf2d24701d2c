import ArgumentParser
enum Beep: String, ExpressibleByArgument { case ok, fail, off }
