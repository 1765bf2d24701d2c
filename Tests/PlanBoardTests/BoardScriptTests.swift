// The page's script, run without a browser, and the messages that it shows when nothing arrives — HTML Living Standard,
// 9.2

import Foundation
import Testing

@testable import PlanBoard

@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/node"), "It needs /usr/bin/node."))
struct BoardScriptTests {
    /// Script code for a page, a clock and a server that a test controls.
    private static let world = #"""
        const nodes = {};
        const node = () => ({ classList: { toggle() {} }, style: {}, setAttribute() {}, toggleAttribute() {}, append() {}, replaceChildren() {} });
        globalThis.document = { getElementById: id => nodes[id] ??= node(), createElement: node, createElementNS: node,
          body: node() };
        let time = Date.parse("2026-01-01T10:00:00Z"), status = 200;
        Date.now = () => time;
        const ticks = [], delays = [], sources = [];
        globalThis.setInterval = tick => ticks.push(tick);
        globalThis.setTimeout = action => delays.push(action);
        globalThis.fetch = async () => { if (!status) throw new TypeError(); return { status, ok: status === 200 }; };
        globalThis.EventSource = class {
          static CLOSED = 2;
          constructor() { this.readyState = 1; sources.push(this); }
          close() { this.readyState = 2; }
        };
        const last = () => sources[sources.length - 1];
        const news = second => last().onmessage({ data: JSON.stringify({ event: "progress", time: new Date(time).toISOString(),
          plan: "a.csv", begun: "2026-01-01T09:00:00Z", rows: 2, provisioned: 1, bound: 0, written: 0, pending: 1, proven: 1,
          refused: 0, failed: 0, verified: 1, locked: 0, stations: [], second }) });
        const wait = async seconds => {
          for (let past = 0; past < seconds; past += 5) { time += 5000; for (const tick of ticks) tick(); }
        };
        const end = async code => {
          status = code; last().readyState = 2; last().onerror();
          await new Promise(resolve => setImmediate(resolve));
        };
        const says = () => nodes.live.textContent + "|" + (nodes.alarm.hidden ? "" : nodes.alarm.textContent);
        """#

    private static func run(_ test: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/node")
        process.arguments = [
            "-e", "(async () => {\(world)\n\(BoardScript.text)\n\(test)\n})().catch(error => { console.log(error); });",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func silenceIsNotLive() throws {
        let lines = try Self.run(
            """
            news(1); console.log(says());
            await wait(30); console.log(says());
            const first = last();
            await wait(5); console.log(says(), sources.length, first.readyState);
            // The new connection begins with the known state, which does not count as a change.
            time -= 35000; news(1); time += 35000; console.log(says());
            news(2); console.log(says());
            """)
        try #require(lines.count == 5, "\(lines)")
        #expect(lines[0] == "Live|" && lines[1] == "Live|")
        #expect(lines[2].hasPrefix("Silent|No update since ") && lines[2].hasSuffix(" 2 2"))
        #expect(lines[3].hasPrefix("Silent|No update since "))
        #expect(lines[4] == "Live|")
    }

    @Test func theRateOfAPlanThatJustBeganIsNotThatOfAMinute() throws {
        let lines = try Self.run(
            """
            const tiles = values => {
              const made = [];
              const before = document.createElement;
              document.createElement = () => ({ ...before(), append(...parts) { made.push(parts[0]); } });
              news(values);
              document.createElement = before;
              return made.filter(part => typeof part === "string");
            };
            time = Date.parse("2026-01-01T09:00:30Z");
            const first = tiles(1);
            console.log(first.includes("since the start"), first.includes("in the last minute"));
            time = Date.parse("2026-01-01T09:02:00Z");
            const second = tiles(2);
            console.log(second.includes("since the start"), second.includes("in the last minute"));
            """)
        #expect(lines == ["true false", "false true"])
    }

    @Test func aNewTokenIsAskedForAndTheOldOneIsNotPromised() throws {
        let lines = try Self.run(
            """
            news(1);
            await end(401); console.log(says());
            await end(0); console.log(says());
            await end(200); console.log(says());
            delays.pop()(); news(2); console.log(says());
            """)
        try #require(lines.count == 4, "\(lines)")
        #expect(
            lines[0].hasPrefix("No access|") && lines[0].contains("Open the address")
                && !lines[0].contains("retries"))
        #expect(lines[1].hasPrefix("Not connected|") && lines[1].hasSuffix("This page retries automatically."))
        #expect(lines[2].hasPrefix("Waiting|The board already serves as many browsers as it can."))
        #expect(lines[3] == "Live|")
    }
}
