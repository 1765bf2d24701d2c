// Tests that run the built nfctool: groups of similar length run in parallel, and the tests of a group one after the
// other

import Testing
import VirtualPCSC

// These tests wait two thirds of their time, so two cores are enough for all groups. Add a new suite to the group for
// its topic or, if there is none, to the shortest group. The longest group determines the duration of `Scripts/test
// --lane tool`.

/// The parent of the suites that start programs and belong to no other group.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinary {}

/// The parent of the suites that run the commands of the documentation, and compare their output with it.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinaryDocumentation {}

@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinaryPasswords {}

@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltBinaryRestores {}

/// The parent of the suites about all bytes of a tag: dumps, and the mirrors that a write keeps.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryMemory {}

/// The parent of the suites that interrupt a program at every command.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltBinaryCuts {}

/// The parent of the suites that end programs by signals.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryKills {}

@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryProvision {}

/// The parent of the suites about tags of a plan that come back, and about errors that must not happen then.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryReturns {}

/// The parent of the suites about a bad radio link and tags that return.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryRadio {}

/// The parent of the suites about PC/SC readers that are lost, each with a separate pcscd.
@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: PrivatePCSCDaemon.isAvailable))
struct BuiltBinarySmartCards {}
