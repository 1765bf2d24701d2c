// The effect of Ctrl-C, SIGTERM, SIGHUP and a closed output at every moment of a command's life

import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct SignalTests {
        /// A longer delay is not "immediate", even on a busy machine.
        ///
        /// `SignalCampaign` uses a shorter limit.
        private static let limit = Duration.seconds(8)
        private static let waiting = ["--timeout", "0", "--uid", "04112233445566", "--reader", "virtual:ntag213"]

        /// Starts a command on a terminal, and returns the result of the test's actions on it.
        private static func interrupt(
            _ arguments: [String], in folder: String, by act: (TerminalRun) async throws -> Void
        ) async throws -> (status: Int32?, output: String) {
            let run = try TerminalRun(arguments, in: folder)
            try await act(run)
            let start = ContinuousClock.now
            let status = try await run.ended(within: limit)
            while !run.survivors().isEmpty, ContinuousClock.now - start < limit {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(run.survivors() == [])
            #expect(run.showsTyping)
            return (status, run.output)
        }

        @Test func aQuestionIsEndedByCtrlCWithNothingChanged() async throws {
            try await Tool.withFolder { folder in
                let lock = ["lock", "--force", "--reader", "virtual:ntag213"]
                let end = try await Self.interrupt(lock, in: folder) { run in
                    try await run.wait(for: "[y/N] ")
                    run.type("\u{3}")
                }
                #expect(end.status == 130)
                #expect(end.output.hasSuffix("nfctool: Interrupted. Nothing was changed.\r\n"), "\(end.output)")
            }
        }

        @Test(arguments: [
            ("protect", "New password (8 hexadecimal digits, or 32 for a key): "), ("unprotect", "Password: "),
        ])
        func aPasswordPromptIsEndedAndTheTerminalShowsWhatIsTypedAgain(command: String, prompt: String) async throws {
            try await Tool.withFolder { folder in
                let arguments = [command, "--reader", "virtual:ntag215-protected"]
                let end = try await Self.interrupt(arguments, in: folder) { run in
                    try await run.wait(for: prompt)
                    #expect(!run.showsTyping)
                    run.type("\u{3}")
                }
                #expect(end.status == 130)
                #expect(end.output.contains("Interrupted. Nothing was changed."))
            }
        }

        /// The facts are printed before the first write that changes the tag permanently.
        @Test(arguments: [
            (["lock", "--yes", "--force"], ["This cannot be undone.", " > A2 03"]),
            (
                ["protect", "--yes", "--limit", "3", "--no-wait", "--password-file", "password"],
                ["closes permanently", " > A2 2B"]
            ),
        ])
        func aChangeThatIsInterruptedAfterItsFactsSaysHowThingsStand(command: [String], steps: [String]) async throws {
            for step in steps {
                try await inTime { isLast in
                    try await Tool.withFolder { folder in
                        try "11223344".write(toFile: folder + "/password", atomically: true, encoding: .utf8)
                        let reader = ["--trace", "--reader", "virtual:ntag213?latency=real"]
                        let end = try await Self.interrupt(command + reader, in: folder) { run in
                            try await run.wait(for: step)
                            run.send(SIGTERM)
                        }
                        guard end.status != 0 || isLast else { return false }
                        let output = end.output.suffix(500)
                        #expect(end.status == 130, "\(step): \(output)")
                        #expect(!end.output.contains("nfctool: Interrupted.\r\n"), "\(step): \(output)")
                        return true
                    }
                }
            }
        }

        /// With a reader that answers late, there is time to type in advance.
        @Test func aKeyPressedBeforeTheQuestionIsNoAnswerToIt() async throws {
            try await Tool.withFolder { folder in
                try "precious".write(toFile: folder + "/a", atomically: true, encoding: .utf8)
                let commands = [
                    ["lock", "--force", "--reader", "virtual:ntag213?slowwake=1500ms"],
                    ["read", "--output", "a", "--reader", "virtual:ntag213?slowwake=1500ms"],
                ]
                for command in commands {
                    let end = try await Self.interrupt(command, in: folder) { run in
                        run.type("y\n")
                        try await run.wait(for: "[y/N] ")
                        #expect(try await run.ended(within: .milliseconds(500)) == nil)
                        run.type("n\n")
                    }
                    #expect(end.status == 130, "\(end.output)")
                    #expect(end.output.hasSuffix("nfctool: Nothing was changed.\r\n"), "\(end.output)")
                }
            }
        }

        /// Ctrl-S stops the output, and with it every program that prints.
        @Test func aPasswordPromptIsEndedOnATerminalThatWasStopped() async throws {
            try await Tool.withFolder { folder in
                _ = try await Self.interrupt(["protect", "--reader", "virtual:ntag213"], in: folder) { run in
                    try await run.wait(for: "New password (8 hexadecimal digits, or 32 for a key): ")
                    run.type("\u{13}")
                    try await Task.sleep(for: .milliseconds(50))
                    run.send(SIGTERM)
                    #expect(try await run.ended(within: Self.limit) == 130)
                }
            }
        }

        /// Sends two signals to a command when it has printed a text, and returns its output.
        ///
        /// A mute reader delays the end of the command by 0.6 s. nfctool ignores a second signal within 0.2 s. If a busy
        /// machine sends the second signal too late, the attempt is repeated. The command itself may also be delayed, so
        /// the text may be missing twice.
        private static func interruptTwice(_ arguments: [String], at text: String) async throws -> String {
            var (output, misses) = ("", 0)
            try await inTime { isLast in
                var gap = Duration.zero
                let end = try await Tool.withFolder { folder in
                    try "uri\nhttps://example.com\n".write(
                        toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                    return try await interrupt(arguments, in: folder) { run in
                        try await run.wait(for: text)
                        gap = try await ContinuousClock().measure {
                            run.send(SIGTERM)
                            try await Task.sleep(for: .milliseconds(300))
                            run.send(SIGTERM)
                        }
                    }
                }
                #expect(end.status == 130)
                guard gap < .milliseconds(450) || isLast else { return false }
                output = end.output
                misses += 1
                return misses == 3 || output.contains("nfctool: Interrupted before the command could finish.\r\n")
            }
            return output
        }

        @Test func aSecondSignalShowsTheCursorAgain() async throws {
            let arguments = ["provision", "plan.csv", "--timeout", "0", "--reader", "virtual:?mute=0"]
            let output = try await Self.interruptTwice(arguments, at: "\u{1B}[?25l")
            #expect(output.contains("nfctool: Interrupted before the command could finish.\r\n"))
            #expect(output.contains("\u{1B}[?25h"))
        }

        /// R14: after a typed answer, only SIGKILL stopped the command.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aPlanThatLocksTagsStopsAfterTheAnswerWasTyped(signal: Int32) async throws {
            try await Tool.withFolder { folder in
                let rows = (1...60).map { "https://example.com/\($0)\n" }.joined()
                try ("uri\n" + rows).write(toFile: folder + "/plan.csv", atomically: true, encoding: .utf8)
                let arguments = ["provision", "plan.csv", "--lock", "--reader", "virtual:ntag213*60?stream"]
                let end = try await Self.interrupt(arguments, in: folder) { run in
                    try await run.wait(for: "[y/N] ")
                    run.type("y\n")
                    try await run.wait(for: "0410571F000180")
                    run.send(signal)
                }
                #expect(end.status == 130)
                // Even if a lock is interrupted, the message says how many rows remain.
                #expect(end.output.contains(" rows remain.\r\n"), "\(end.output)")
                #expect(end.output.contains("\u{1B}[?25h"))
            }
        }

        @Test func aCopyThatIsInterruptedTellsHowManyTagsItWrote() async throws {
            try await Tool.withFolder { folder in
                let arguments = ["copy", "--count", "3", "--reader", "virtual"]
                let end = try await Self.interrupt(arguments, in: folder) { run in
                    try await run.wait(for: "tag 1 of 3")
                    run.send(SIGTERM)
                }
                #expect(end.status == 130)
                #expect(end.output.contains("Interrupted. 0 of 3 tags were finished."))
            }
        }

        /// Ctrl-C once killed the process that opens the reader while it was started, and the reader seemed to crash.
        @Test(arguments: [SIGINT, SIGTERM]) func aSignalThatWaitedSinceBeforeTheStartIsHandled(signal: Int32)
            async throws
        {
            let blocked = """
                import os, signal, sys
                signal.pthread_sigmask(signal.SIG_BLOCK, [\(signal)])
                os.kill(os.getpid(), \(signal))
                os.execvp("nfctool", ["nfctool", "scan", "--reader", "virtual:ntag213"])
                """
            let end = try await Tool.shell("python3 -c '\(blocked)'")
            #expect(end.status == 130, "\(end.errors)")
        }

        /// R13: a signal within a millisecond of the first line was lost, or left the link behind.
        @Test func aSimulatorThatJustBeganEndsAndTakesItsLinkAndSocketAway() async throws {
            try await Tool.withFolder { folder in
                for _ in 0..<20 {
                    let arguments = ["simulate", "--symlink", "link", "--control", "socket"]
                    let end = try await Self.interrupt(arguments, in: folder) { run in
                        try await run.wait(for: "pn532_uart:")
                        run.send(SIGINT)
                    }
                    #expect(end.status == 0)
                    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
                }
            }
        }

        @Test func aSimulatorWhoseFirstLineNobodyReadsLeavesNoLinkBehind() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell("nfctool simulate --symlink link | true; ls", in: folder)
                #expect(outcome.output == "")
            }
        }

        @Test(arguments: [
            ["ndef", "decode", "-"], ["ndef", "check", "-"], ["ndef", "encode", "--mime", "a/b=@-"], ["restore", "-"],
            ["write", "--text", "@-", "--mime", "a/b=@-"],
        ])
        func aCommandThatReadsTheTerminalIsEnded(arguments: [String]) async throws {
            try await Tool.withFolder { folder in
                let end = try await Self.interrupt(arguments, in: folder) { run in
                    run.type("one line\n")
                    // The terminal shows the line as soon as it can be read.
                    try await run.wait(for: "one line\r\n")
                    try await run.hasReadLines()
                    run.type("\u{3}")
                }
                #expect(end.status == 130)
                #expect(end.output.hasSuffix("nfctool: Interrupted.\r\n"), "\(end.output)")
            }
        }

        @Test func aSecondSignalEndsACommandAtOnceAndTheReaderIsGivenBack() async throws {
            let arguments = ["doctor", "--reader", "virtual:?mute=0"]
            let output = try await Self.interruptTwice(arguments, at: "Waiting for the reader")
            #expect(output.contains("nfctool: Interrupted before the command could finish.\r\n"))
            #expect(output.contains("nfctool recover --list"))
        }

        @Test func whatAShellCommandStartedEndsWithTheScan() async throws {
            try await Tool.withFolder { folder in
                let arguments = ["scan", "--exec", "echo here; sleep 600; true", "--reader", "virtual"]
                let end = try await Self.interrupt(arguments, in: folder) { run in
                    try await run.wait(for: "here")
                    run.send(SIGTERM)
                }
                #expect(end.status == 130)
            }
        }

        /// A terminal that closes sends SIGHUP, and the shell in it may send another.
        @Test func twoSignalsAtOnceAreOneRequest() async throws {
            try await inTime { isLast in
                try await Tool.withFolder { folder in
                    var gap = Duration.zero
                    let end = try await Self.interrupt(["doctor", "--reader", "virtual:?mute=0"], in: folder) { run in
                        try await run.wait(for: "Waiting for the reader")
                        gap = ContinuousClock().measure {
                            run.send(SIGHUP)
                            run.send(SIGHUP)
                        }
                    }
                    guard gap < .milliseconds(100) || isLast else { return false }
                    #expect(end.status == 130)
                    #expect(end.output.hasSuffix("nfctool: Interrupted.\r\n"), "\(end.output)")
                    return true
                }
            }
        }

        @Test func nohupKeepsACommandFromBeingEndedBySIGHUP() async throws {
            let line = """
                nohup nfctool scan --json --for 10s --reader virtual > out 2> err &
                until [ -s out ]; do sleep 0.02; done; kill -HUP $!; wait $!
                """
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(line, in: folder)
                #expect(outcome.status == 0)
            }
        }

        @Test func anOutputThatNobodyReadsEndsACommandAsSIGPIPEDoesAndSilently() async throws {
            let line = """
                nfctool scan --json --reader 'virtual:ntag213?stream&dwell=100ms&gap=100ms' 2> err | head -1 > out
                echo ${PIPESTATUS[0]} $(cat err)
                """
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(line, in: folder)
                #expect(outcome.output == "141\n")
            }
        }

        /// The tag stays, so the command is not ended by an event that it cannot print.
        @Test(arguments: ["scan", "scan --json"])
        func aScanEndsWithTheProgramThatReadsItEvenIfNoTagComesOrLeaves(command: String) async throws {
            let line = """
                timeout 20 nfctool \(command) --reader virtual:ntag213 2> err | head -1 > out
                echo ${PIPESTATUS[0]} $(cat err)
                """
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(line, in: folder)
                #expect(outcome.output == "141\n")
            }
        }

        /// A program that a command runs must not inherit this program's handling of signals.
        @Test func aProgramThatAScanRunsHasTheSignalsOfAnyProgram() async throws {
            let outcome = try await Tool.run(
                "scan", "--count", "1", "--reader", "virtual", "--exec", "grep -E '^Sig(Blk|Ign)' /proc/self/status")
            let lines = outcome.output.split(separator: "\n").filter { $0.hasPrefix("Sig") }
            let masks = lines.compactMap { UInt64($0.split(separator: "\t").last ?? "", radix: 16) }
            #expect(masks.count == 2, "\(lines)")
            // The lowest bit is signal 1.
            for number in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] {
                #expect(masks.allSatisfy { $0 >> UInt64(number - 1) & 1 == 0 }, "\(number): \(lines)")
            }
        }
    }
}
