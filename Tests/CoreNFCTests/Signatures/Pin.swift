// Checks a signature by a use that compiles with no other signature

/// Compiles only if the symbol can be used as this type.
func pin<Symbol>(_ symbol: Symbol, as type: Symbol.Type) {}

/// The type of a completion handler without a value.
typealias Handler = @Sendable ((any Error)?) -> Void
