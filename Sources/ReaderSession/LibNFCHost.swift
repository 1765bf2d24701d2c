// Runs libnfc in a separate process if an nfctool of the same version is found, otherwise in this process

import Foundation
import LibNFC
import Logging
import PCSCReaders
import ReaderInterface
package import ReaderProcess
import Synchronization

/// Where the sessions of this process run libnfc: in a separate process, or in this one.
///
/// libnfc ends its process with `abort()` on some replies of a chip, and may wait forever. In a separate process, it
/// cannot do this to the sessions.
package enum LibNFCHost {
    /// The environment variable that names the program to use.
    ///
    /// The value `none` keeps libnfc in this process.
    private static let variable = "NFCTOOL_HOST"
    private static let none = "none"
    private static let programName = "nfctool"
    /// The arguments that make nfctool hold a reader for another process.
    private static let arguments = ["reader-host"]

    private static let isTold = Mutex(false)
    private static let ownProgram = Mutex<ReaderProgram?>(nil)

    /// The program that holds readers for the sessions of this process, with one process for each reader.
    ///
    /// If this is nil (the default), the sessions use an nfctool of this version, if one is found. The program must
    /// call ``serve()``.
    package static var program: ReaderProgram? {
        get { ownProgram.withLock { $0 } }
        set { ownProgram.withLock { $0 = newValue } }
    }

    /// Holds a reader for the process that started this one, and ends when that process ends.
    ///
    /// `usesHigherBitRates` permits more than 106 kbit/s with readers that libnfc drives. PC/SC readers choose the bit
    /// rate themselves.
    package static func serve(usesHigherBitRates: Bool = false) -> Never {
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
                    return try LibNFCReader(
                        connection: connection, queue: queue, logger: logger, usesHigherBitRates: usesHigherBitRates)
                }
                return try PCSCReader(connection: connection, queue: queue, logger: logger)
            })
        ReaderServer(source).run()
    }

    package static var version: String { LibNFC.version }

    /// Starts the process for a reader, or returns nil if libnfc is to run in this process.
    ///
    /// Programs of another version are skipped. If libnfc runs in this process, this is logged once, with the reason.
    /// - Throws: `ReaderError.readerFailed(operation:reason:code:fault:)` if the program set by ``program`` does not
    ///   run.
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

    /// Returns the programs to try: the one that the environment names, the one next to this program, and those in
    /// PATH.
    private static func candidates(environment: [String: String], ownPath: String?) -> [String] {
        let named = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
        let beside = ownPath.map { ($0 as NSString).deletingLastPathComponent }
        // Skip relative entries of PATH, because they depend on the folder in which this program was started.
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
            libnfc runs in this process, so a crash of libnfc would end it: no \(programName) \
            \(ReaderProtocol.release) was found next to this program, in \(variable) or in PATH.\(others) \
            \(variable)=\(none) hides this message.
            """)
    }
}
