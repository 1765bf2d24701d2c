// How a signature is pinned: by a use that compiles with no other

/// Compiles only when the symbol can be used as this type.
func pin<Symbol>(_ symbol: Symbol, as type: Symbol.Type) {}

/// What a completion handler without a value is.
typealias Handler = @Sendable ((any Error)?) -> Void
