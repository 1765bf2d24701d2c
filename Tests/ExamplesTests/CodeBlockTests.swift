// The Swift code in the articles, the README and the documentation comments compiles

import Foundation
import Subprocess
import SystemPackage
import Testing

struct CodeBlock: CustomTestStringConvertible, Sendable {
    /// The path of the file, relative to the package's folder.
    let file: String
    /// The number of the first line, counted from 1.
    let line: Int
    let text: String

    var testDescription: String { "\(file):\(line)" }

    /// Whether the block is a program, or a file of one.
    ///
    /// Otherwise, it is the body of a delegate's method.
    var isComplete: Bool { text.hasPrefix("import ") }

    /// Whether the block is part of an example of a module without delegates.
    ///
    /// Such an example is not compiled.
    var isExcerpt: Bool { !isComplete && file.hasPrefix("Sources/") && !file.hasPrefix("Sources/CoreNFC/") }

    /// The blocks in the text of a file, in order; in documentation comments, after their slashes.
    static func blocks(of text: String, file: String) -> [CodeBlock] {
        var blocks: [CodeBlock] = []
        var begun: (line: Int, lines: [Substring])?
        for (number, line) in zip(1..., text.split(separator: "\n", omittingEmptySubsequences: false)) {
            let isComment = file.hasSuffix(".swift")
            let start = line.drop(while: \.isWhitespace)
            guard !isComment || start.hasPrefix("///") else {
                begun = nil
                continue
            }
            let content = isComment ? start.dropFirst(3) : line
            let mark = content.trimmingCharacters(in: .whitespaces)
            if let block = begun, mark == "```" {
                blocks.append(CodeBlock(file: file, line: block.line, text: block.lines.joined(separator: "\n") + "\n"))
                begun = nil
            } else if begun != nil {
                begun?.lines.append(content)
            } else if mark == "```swift" {
                begun = (number + 1, [])
            }
        }
        return blocks
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct CodeBlockTests {
    /// All blocks in the places that Swift developers read.
    static let blocks: [CodeBlock] = ["README.md", "Docs", "Sources"].flatMap { place in
        let root = URL(fileURLWithPath: Program.package.appending(place).string).resolvingSymlinksInPath().path
        let inside = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let files = inside.isEmpty ? [place] : inside.sorted().map { "\(place)/\($0)" }
        return files.filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.flatMap { file in
            let text = try? String(contentsOfFile: Program.package.appending(file).string, encoding: .utf8)
            return CodeBlock.blocks(of: text ?? "", file: file)
        }
    }

    /// Returns a file in which each block without an import is the body of a method of a client's class.
    static func file(of fragments: [CodeBlock]) -> String {
        let bodies = fragments.enumerated().map { number, block in
            """
            extension Client {
                func block\(number)(session: NFCNDEFReaderSession, tag: any NFCNDEFTag) async throws {
            #sourceLocation(file: "\(block.file)", line: \(block.line))
            \(block.text)#sourceLocation()
                }
            }
            """
        }
        let client = """
            import CoreNFC
            class Client: NSObject, NFCNDEFReaderSessionDelegate, NFCTagReaderSessionDelegate {
                func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {}
                func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
                func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}
                func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}
                func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {}
            }

            """
        return client + bodies.joined(separator: "\n")
    }

    @Test func thereAreBlocksInEachPlace() {
        let complete = Self.blocks.filter(\.isComplete)
        #expect(complete.contains { $0.file == "README.md" })
        let articles = Set(complete.map(\.file).filter { $0.contains(".docc/") })
        #expect(articles.filter { $0.hasPrefix("Sources/CoreNFC/") }.count == 4)
        let modules = [
            "NDEF", "Provisioning", "ReaderInterface", "ReaderSession", "SafeTag", "SecureDynamicMessaging", "TagImage",
            "TagTypes", "VirtualPN532", "WriteJournal",
        ]
        for module in modules {
            #expect(articles.contains("Sources/\(module)/\(module).docc/\(module).md"))
        }
        #expect(Self.blocks.contains { !$0.isComplete && !$0.isExcerpt })
    }

    @Test(arguments: blocks.filter(\.isComplete)) func aProgramCompiles(_ block: CodeBlock) async throws {
        let text = "#sourceLocation(file: \"\(block.file)\", line: \(block.line))\n" + block.text
        let complaints = try await Self.complaints(about: text)
        #expect(complaints == "")
    }

    @Test func fragmentsCompileInADelegate() async throws {
        let fragments = Self.blocks.filter { !$0.isComplete && !$0.isExcerpt }
        let complaints = try await Self.complaints(about: Self.file(of: fragments))
        #expect(complaints == "")
    }

    @Test func aBlockThatIsWrongIsFound() async throws {
        let complaints = try await Self.complaints(about: "import CoreNFC\nlet error = NFCReaderError(.noSuchCode)\n")
        #expect(complaints.contains("has no member 'noSuchCode'"))
    }

    /// Returns the compiler's diagnostics for a file that imports the module with which the examples are built.
    ///
    /// In Swift 5 mode, which most apps use, these are all diagnostics. In Swift 6 mode, they are only errors, because
    /// handlers that capture a tag give warnings.
    private static func complaints(about text: String) async throws -> String {
        let (swift5, swift6) = try await (complaints(about: text, mode: "5"), complaints(about: text, mode: "6"))
        return swift5 + (swift6.contains("error:") ? swift6 : "")
    }

    private static func complaints(about text: String, mode: String) async throws -> String {
        try await Program.withFolder { folder in
            let path = folder.appending("Block.swift").string
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            // The module's own imports are not the client's, but the compiler loads them.
            let sources = Program.package.appending("Sources").string
            let folders = try FileManager.default.contentsOfDirectory(atPath: sources)
            // The modules of other packages are in the scratch folder, above the products' folder TRIPLE/CONFIGURATION.
            let products = URL(fileURLWithPath: Program.products.string).resolvingSymlinksInPath().path
            let checkouts = FilePath(products).removingLastComponent().removingLastComponent().appending("checkouts")
            let own = folders.flatMap { [$0, $0 + "/include"] }.map { "\(sources)/\($0)" }
            let others = ["swift-system/Sources/CSystem/include", "GRDB.swift/Sources/GRDBSQLite"]
            let maps = (own + others.map { checkouts.appending($0).string }).filter {
                FileManager.default.fileExists(atPath: "\($0)/module.modulemap")
            }
            let headers = try await Program.run(
                .name("pkg-config"), ["--cflags", "libnfc", "libpcsclite", "libusb-1.0", "libcrypto", "sqlite3"])
            let flags = headers.output.split(whereSeparator: \.isWhitespace).flatMap { ["-Xcc", String($0)] }
            let outcome = try await Program.run(
                .name("swiftc"),
                ["-typecheck", "-swift-version", mode, "-I", Program.products.appending("Modules").string] + flags
                    + maps.flatMap { ["-I", $0] } + [path])
            return outcome.status == .exited(0) ? outcome.errors : outcome.errors + "\(outcome.status)"
        }
    }
}
