// The file of labels

import Chance
import Testing
@testable import USBReaders

struct ReaderLabelsTests {
    private func problem(_ text: String) -> (line: Int?, problem: ReaderLabelError.Problem)? {
        do throws(ReaderLabelError) {
            _ = try ReaderLabels(text: text, file: "readers")
            return nil
        } catch {
            return (error.line, error.problem)
        }
    }

    @Test("the three kinds of target are read, with comments, spaces, empty lines, a byte order mark and CR LF")
    func targets() throws {
        let text =
            "\u{FEFF}# my readers\r\n\r\ndesk = usb:1-2.3\r\n  shop.2=serial:A#1 2 # till\r\nbüro\t= pn532_uart:/dev/ttyUSB0:115200"
        let labels = try ReaderLabels(text: text, file: "readers")
        #expect(labels.entries.map(\.label) == ["desk", "shop.2", "büro"])
        #expect(labels.entries.map(\.line) == [3, 4, 5])
        #expect(labels.target(of: "desk") == PortPath("1-2.3").map { .port($0) })
        #expect(labels.target(of: "shop.2") == .serial("A#1 2"))
        #expect(labels.target(of: "büro") == .connection("pn532_uart:/dev/ttyUSB0:115200"))
        #expect(labels.target(of: "Desk") == nil)
    }

    static let wrong: [(String, ReaderLabelError.Problem)] = [
        ("desk", .noEqualsSign), ("= usb:1-2", .notALabel("")), ("a b = usb:1-2", .notALabel("a b")),
        ("-x = usb:1-2", .notALabel("-x")), ("usb:1 = usb:1-2", .notALabel("usb:1")), ("x = ", .notATarget("")),
        ("x = usb", .notATarget("usb")), ("x = usb:", .notATarget("usb:")), ("x = :1", .notATarget(":1")),
        ("x = virtual:d.nfc", .virtualReader("virtual:d.nfc")), ("x = virtual", .virtualReader("virtual")),
        ("x = usb:1", .notAPort("1")), ("x = usb:001:004", .notAPort("001:004")), ("x = # usb:1-2", .notATarget("")),
        ("x = pn532_uart:/dev/tty USB0", .notATarget("pn532_uart:/dev/tty USB0")),
        ("x\u{0} = usb:1-2", .notALabel("x\u{0}")),
    ]

    @Test("an invalid line is reported with its number and the error", arguments: wrong)
    func wrongLine(line: String, expected: ReaderLabelError.Problem) {
        let found = problem("# one\nok = usb:1-1\n" + line)
        #expect(found?.line == 3)
        #expect(found?.problem == expected)
    }

    @Test("a label given twice is named with both lines")
    func twice() {
        let found = problem("a = usb:1-1\n\na = usb:1-2")
        #expect(found?.line == 3)
        #expect(found?.problem == .givenTwice(label: "a", firstLine: 1))
    }

    @Test("the longest line and label are accepted, and longer ones are not")
    func lengths() {
        let label = String(repeating: "l", count: 64)
        #expect(problem("\(label) = usb:1-1") == nil)
        #expect(problem("\(label)l = usb:1-1")?.problem == .notALabel(label + "l"))
        let start = "a = serial:"
        #expect(problem(start + String(repeating: "s", count: 1024 - start.utf8.count)) == nil)
        #expect(problem(start + String(repeating: "s", count: 1025 - start.utf8.count))?.problem == .lineTooLong)
    }

    @Test("a file of any bytes gives labels or an error with a line: 2000 files from a seeded generator")
    func garbage() {
        var generator = SplitMix(state: 0x1EAF)
        let alphabet = Array("ab=#:. \n\r\tusb:1-2serial:\u{0}\u{FF}\u{FEFF}é=".utf8)
        var (read, refused) = (0, 0)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            switch problem(String(decoding: bytes, as: UTF8.self)) {
            case nil: read += 1
            case (let line, _)?:
                refused += 1
                #expect(line != nil)
            }
        }
        #expect(read > 0 && refused > 0 && read + refused == 2000)
    }

    @Test("the file is in the folder of XDG_CONFIG_HOME, or else in the home folder; a relative path is ignored")
    func place() {
        #expect(ReaderLabels.file(environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/nfctool/readers")
        #expect(ReaderLabels.file(environment: ["XDG_CONFIG_HOME": "c", "HOME": "/h"]) == "/h/.config/nfctool/readers")
        #expect(ReaderLabels.file(environment: ["XDG_CONFIG_HOME": ""]) == nil)
    }

    @Test("advice names the file that is read, with ~ for the home")
    func nameOfTheFile() {
        #expect(
            ReaderLabels.fileName(environment: ["XDG_CONFIG_HOME": "/c", "HOME": "/h"]) == "/c/nfctool/readers")
        for environment in [["HOME": "/h"], ["XDG_CONFIG_HOME": "c", "HOME": "/h"], [:]] {
            #expect(ReaderLabels.fileName(environment: environment) == "~/.config/nfctool/readers")
        }
    }

    @Test("without a file there are no labels; a file that is too large, or a folder in its place, is an error")
    func files() throws {
        let system = try SystemCopy()
        let environment = ["HOME": "/home/a"]
        let file = "/home/a/.config/nfctool/readers"
        #expect(try ReaderLabels(root: system.root, environment: environment).entries.isEmpty)
        #expect(try ReaderLabels(root: system.root, environment: [:]).entries.isEmpty)
        try system.file(file, "desk = usb:1-1\n")
        #expect(try ReaderLabels(root: system.root, environment: environment).entries.count == 1)
        try system.file(file, String(repeating: "#\n", count: 40_000))
        #expect(throws: ReaderLabelError(file: file, line: nil, problem: .tooLarge)) {
            try ReaderLabels(root: system.root, environment: environment)
        }
        try system.remove(file)
        try system.folder(file)
        #expect(throws: ReaderLabelError(file: file, line: nil, problem: .unreadable)) {
            try ReaderLabels(root: system.root, environment: environment)
        }
    }

    @Test("a reader's label is found by port, by serial number and by connection string; the first in the file wins")
    func labelOfReader() throws {
        let labels = try ReaderLabels(
            text: "p = usb:1-2\ns = serial:S1\nc = acr122_usb:001:009\nq = usb:1-2", file: "readers")
        let model = try #require(ReaderModel.known(vendor: 0x072F, product: 0x2200))
        let reader = { (port: String, device: UInt8, serial: String?) in
            PortPath(port).map { USBReader(model: model, port: $0, device: device, serial: serial) }
        }
        #expect(reader("1-2", 9, "S1").flatMap { labels.label(of: $0) } == "p")
        #expect(reader("1-3", 9, "S1").flatMap { labels.label(of: $0) } == "s")
        #expect(reader("1-3", 9, nil).flatMap { labels.label(of: $0) } == "c")
        #expect(reader("1-3", 8, nil).flatMap { labels.label(of: $0) } == nil)
        #expect(labels.label(ofConnection: "acr122_usb:001:009") == "c")
    }
}
