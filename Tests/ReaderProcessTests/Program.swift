// The program that holds a reader, which is the nfctool that was built for the tests

import Foundation
import Testing

@testable import ReaderProcess

enum Program {
    static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "nfctool")
        .path
    static let nfctool = ReaderProgram(path: path, arguments: ["reader-host"])
}

/// The tests that start such processes.
///
/// They run one after the other, because they count descriptors, and some use the whole machine.
@Suite(.serialized) enum ReaderProcesses {}
