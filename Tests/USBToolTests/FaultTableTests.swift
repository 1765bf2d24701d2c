// Each fault of a USB reader with read, scan and doctor: the exit code, the name of the cause, and the time that it
// took

import Foundation
import Testing
import USBBus
import VirtualPN532

extension USBTool {
    @Suite struct FaultTableTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let title: String
            let faults: [String]
            var user: String?
            /// The error's name, and text of the message that names the cause.
            let error: String
            let cause: String
            /// Whether the reader opens first and is lost after that, so that `scan` waits for it.
            var isLostInScan = false
            let status: Int32
            /// The cause that `doctor` names.
            let diagnosis: String

            var testDescription: String { title }
        }

        static let rows = [
            Row(
                title: "held by a program", faults: ["claim=EBUSY"], error: "readerBusy", cause: "is in use",
                status: 69,
                diagnosis: "in use"),
            Row(
                title: "kernel driver bound", faults: ["driver=pn533_usb"], error: "readerBusy",
                cause: "the kernel driver pn533_usb", status: 69, diagnosis: "pn533_usb"),
            Row(
                title: "no permission", faults: ["no-access"], user: "nobody", error: "noPermission",
                cause: "/dev/bus/usb/001/002", status: 77, diagnosis: "/dev/bus/usb/001/002"),
            Row(
                title: "read-only node", faults: ["read-only"], user: "nobody", error: "noPermission",
                cause: "/dev/bus/usb/001/002", status: 77, diagnosis: "/dev/bus/usb/001/002"),
            Row(
                title: "mute from the start", faults: ["mute"], error: "readerIO", cause: "did not answer", status: 74,
                diagnosis: "not answer"),
            Row(
                title: "mute later", faults: ["mute-after=18"], error: "readerIO", cause: "did not answer",
                isLostInScan: true, status: 74, diagnosis: "acr122_usb:001:002"),
            Row(
                title: "unplugged in a command", faults: ["unplug-at=18"], error: "readerIO",
                cause: "no longer connected", isLostInScan: true, status: 74, diagnosis: "acr122_usb:001:002"),
            Row(
                title: "short answers", faults: ["short=8"], error: "readerIO", cause: "The reader failed", status: 74,
                diagnosis: "not answer"),
            Row(
                title: "stalls", faults: ["stall"], error: "readerIO", cause: "The reader failed", status: 74,
                diagnosis: "not answer"),
            Row(
                title: "garbage for CCID", faults: ["garbage=1"], error: "readerIO", cause: "The reader failed",
                status: 74,
                diagnosis: "not answer"),
        ]

        @Test(arguments: rows) func theCauseIsNamedWithinThreeSeconds(row: Row) async throws {
            let reader = try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make()])
            let bus = USBBus([reader], faults: row.faults, user: row.user)
            let read = try await bus.nfctool("read", "--json", "--timeout", "10s")
            #expect(read.status == row.status, "\(read.errors)")
            #expect(read.errorName == row.error)
            #expect(read.message?.contains(row.cause) == true, "\(read.message ?? "")")

            let scan = try await bus.nfctool("scan", "--json", "--for", "4s")
            #expect(scan.errorName == row.error, "\(scan.errors) \(scan.output)")
            #expect(scan.message?.contains(row.cause) == true, "\(scan.message ?? "")")
            #expect(scan.status == (row.isLostInScan ? 0 : row.status))

            let doctor = try await bus.nfctool("doctor", "--json")
            #expect(doctor.status == (row.isLostInScan ? 0 : row.status), "\(doctor.output) \(doctor.errors)")
            #expect(row.isLostInScan || doctor.output.contains(row.diagnosis), "\(doctor.output)")

            for (command, outcome) in [("read", read), ("scan", scan), ("doctor", doctor)] {
                // 124 means that it took too long, and 128 or more that a signal ended it.
                #expect(outcome.status < 124)
                let columns = [
                    row.title, command, "\(outcome.status)", outcome.errorName ?? "–", "\(outcome.duration)",
                ]
                print("fault table | " + columns.joined(separator: " | "))
            }
        }
    }
}
