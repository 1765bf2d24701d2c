// The tests that run the built nfctool: one after the other, since each has the machine's two cores for itself that way

import Testing

/// The parent of all suites that start programs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinary {}
