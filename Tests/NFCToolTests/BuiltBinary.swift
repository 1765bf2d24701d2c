// The tests that run the built nfctool: groups of similar length, which run at the same time, and in each one test after the other

import Testing
import VirtualPCSC

// Two thirds of their time these tests wait, so two cores are enough for all groups. A new suite goes where its topic is, or
// else into the shortest group: the longest one is what `Scripts/test --lane tool` takes.

/// The parent of the suites that start programs, whatever has no group of its own.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinary {}

/// The parent of the suites about passwords.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BuiltBinaryPasswords {}

/// The parent of the suites about `restore`.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltBinaryRestores {}

/// The parent of the suites about all bytes of a tag: dumps, and the mirrors that a write keeps.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryMemory {}

/// The parent of the suites that cut what a program does, at every command.
@Suite(.serialized, .timeLimit(.minutes(15))) struct BuiltBinaryCuts {}

/// The parent of the suites that end programs by signals.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryKills {}

/// The parent of the suites about `provision`.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryProvision {}

/// The parent of the suites about bad radio and tags that return.
@Suite(.serialized, .timeLimit(.minutes(60))) struct BuiltBinaryRadio {}

/// The parent of the suites about PC/SC readers that are lost, each with a pcscd of its own.
@Suite(.serialized, .timeLimit(.minutes(30)), .enabled(if: PrivatePCSCDaemon.isAvailable))
struct BuiltBinarySmartCards {}
