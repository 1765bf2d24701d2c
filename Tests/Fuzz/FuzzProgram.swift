// The program that libFuzzer drives: one decoder, which NFCTOOL_FUZZ_TARGET names — Scripts/fuzz

import Foundation

@_silgen_name("LLVMFuzzerRunDriver")
private func runLibFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ input: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

@main struct FuzzProgram {
    private static let target: FuzzTarget? = {
        let name = ProcessInfo.processInfo.environment["NFCTOOL_FUZZ_TARGET"]
        return FuzzTarget.all.first { $0.name == name }
    }()

    static func main() throws {
        if let folder = ProcessInfo.processInfo.environment["NFCTOOL_FUZZ_SEEDS"] {
            try writeSeeds(to: URL(filePath: folder))
            return
        }
        guard target != nil else {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            return
        }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runLibFuzzer(&count, &arguments) { start, count in
                do {
                    try FuzzProgram.target?.run(Array(UnsafeBufferPointer(start: start, count: count)))
                } catch {
                    fatalError("finding: \(error)")
                }
                return 0
            })
    }

    /// Writes the seeds of each decoder to a folder with its name.
    private static func writeSeeds(to folder: URL) throws {
        for target in FuzzTarget.all {
            let folder = folder.appending(path: target.name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (number, seed) in try target.seeds().enumerated() {
                try Data(seed).write(to: folder.appending(path: "seed-\(number)"))
            }
        }
    }
}
