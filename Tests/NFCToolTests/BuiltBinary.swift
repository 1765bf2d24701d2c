// The tests that run the built nfctool: four lanes, in each one test after the other, since the machine has two cores

import Testing

/// The parent of the suites that start programs.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinary {}

/// The parent of the suites that cut what a program does, at every command.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltBinaryCuts {}

/// The parent of the suites about bad radio; most of their time they wait.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryRadio {}

/// The parent of the suites in which what was ended comes back: killed programs, tags that return; most of their time they wait.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryKills {}
