// Where libnfc runs: in a process of its own, an nfctool of the same version where one is found, else in this one

import Foundation
import LibNFC
import Logging
import PCSCReaders
import ReaderInterface
package import ReaderProcess
import Synchronization

/// Where the sessions of this process run libnfc.
///
/// libnfc ends its process by `abort()` on some replies of a chip, and may wait forever. In a process of its own it takes
/// nothing else down.
package enum LibNFCHost {
    /// Names the program to use; `none` keeps libnfc in this process.
    package static let variable = "NFCTOOL_HOST"
    private static let none = "none"
    private static let programName = "nfctool"
    /// What makes nfctool such a process.
    private static let arguments = ["reader-host"]

    private static let isTold = Mutex(false)
    private static let ownProgram = Mutex<ReaderProgram?>(nil)

    /// The program that holds readers for the sessions of this process, each in a process of its own; nil, the default, to
    /// look for an nfctool of this version.
    ///
    /// It ends in ``serve()``.
    package static var program: ReaderProgram? {
        get { ownProgram.withLock { $0 } }
        set { ownProgram.withLock { $0 = newValue } }
    }

    /// Holds a reader for the process that started this one, and ends this process with it.
    package static func serve() -> Never {
        LibNFC.maskFrameLog()
        let source = ReaderServer.Source(
            connections: LibNFC.connections,
            smartCardReaders: { () throws(ReaderError) in try PCSCReader.listed() },
            smartCardReaderNames: { (known, time) throws(ReaderError) in
                try PCSCReader.names(unlike: known, within: time)
            },
            open: { (connection, queue) throws(ReaderError) in
                var logger = Logger(label: "nfctool.reader")
                logger[metadataKey: "reader"] = "\(connection)"
                guard connection.hasPrefix(PCSCReader.scheme) else {
                    return try LibNFCReader(connection: connection, queue: queue, logger: logger)
                }
                return try PCSCReader(connection: connection, queue: queue, logger: logger)
            })
        ReaderServer(source).run()
    }

    /// The version of libnfc.
    package static var version: String { LibNFC.version }

    /// Starts the process for a reader; nil when libnfc is to run in this process.
    ///
    /// A program of another version is passed over. The log says once that, and why, libnfc runs in this process.
    /// - Throws: `ReaderError.readerFailed(operation:reason:code:fault:)` when the program set by
    ///   ``program`` does not run.
    static func start() throws(ReaderError) -> IsolatedReader? {
        if let program { return try IsolatedReader(program) }
        let environment = ProcessInfo.processInfo.environment
        if environment[variable] == none { return nil }
        var unusable: [String] = []
        for path in candidates(environment: environment, ownPath: ownPath) {
            do throws(ReaderError) {
                return try IsolatedReader(
                    ReaderProgram(path: path, arguments: arguments), ifVersion: ReaderProtocol.version)
            } catch {
                unusable.append(path)
            }
        }
        tellOnce(unusable)
        return nil
    }

    /// The programs to try, in order: the one that the environment names, the one next to this program, those of PATH.
    package static func candidates(environment: [String: String], ownPath: String?) -> [String] {
        let named = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let beside = ownPath.map { ($0 as NSString).deletingLastPathComponent }
        // An entry of PATH that is not absolute depends on where the program was started.
        let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        var paths: [String] = []
        for path in [named].compactMap(\.self) + ([beside].compactMap(\.self) + folders).map({ "\($0)/\(programName)" })
        where !paths.contains(path) && FileManager.default.isExecutableFile(atPath: path) {
            paths.append(path)
        }
        return paths
    }

    private static var ownPath: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    private static func tellOnce(_ unusable: [String]) {
        let isFirst = isTold.withLock { isTold in
            defer { isTold = true }
            return !isTold
        }
        guard isFirst else { return }
        let others = unusable.isEmpty ? "" : " Not usable: \(unusable.joined(separator: ", "))."
        Logger(label: "nfctool.reader").notice(
            """
            libnfc runs in this process and can end it: no \(programName) \(ReaderProtocol.release) was found next to \
            this program, in \(variable) or in PATH.\(others) \(variable)=\(none) hides this message.
            """)
    }
}
