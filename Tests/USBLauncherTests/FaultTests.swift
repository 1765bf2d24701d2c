// Each fault of the emulated readers works as documented, as the independent nfc-list and libusb-1.0 see it

import Testing
import USBBus
import VirtualPN532

extension OnTheBus {
    @Suite struct FaultTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let model: EmulatedReader.Model
            let fault: String
            var user: String? = nil
            /// The output of nfc-list on stdout or stderr.
            let says: String

            var testDescription: String { "\(model.rawValue) \(fault)" }
        }

        static let rows = [
            Row(model: .acr122u, fault: "claim=EBUSY", says: "Unable to claim USB interface (Device or resource busy)"),
            Row(model: .acr122u, fault: "claim=EACCES", says: "Unable to claim USB interface (Permission denied)"),
            Row(model: .acr122u, fault: "driver", says: "Unable to claim USB interface (Device or resource busy)"),
            Row(model: .acr122u, fault: "mute", says: "Unable to open NFC device"),
            Row(model: .acr122u, fault: "mute-until-reset=2", says: "Unable to open NFC device"),
            Row(model: .acr122u, fault: "short=5", says: "Invalid RDR_to_PC_DataBlock frame"),
            Row(model: .acr122u, fault: "stall", says: "Unable to open NFC device"),
            Row(
                model: .acr122u, fault: "read-only", user: "nobody",
                says: "Unable to claim USB interface (Operation not permitted)"),
            Row(model: .acr122u, fault: "no-access", user: "nobody", says: "No NFC device found"),
            Row(model: .pn533, fault: "claim=EBUSY", says: "Unable to claim USB interface (Device or resource busy)"),
            Row(
                model: .pn533, fault: "driver", says: "Unable to set USB configuration (Device or resource busy)"),
            Row(
                model: .pn533, fault: "configuration=ETIMEDOUT",
                says: "Unable to set USB configuration (Connection timed out)"),
            Row(model: .pn533, fault: "mute", says: "Unable to open NFC device"),
            Row(model: .pn533, fault: "short=5", says: "Unable to open NFC device"),
            Row(model: .scl3711, fault: "no-access", user: "nobody", says: "No NFC device found"),
        ]

        @Test(arguments: rows)
        func nfcListSaysWhatItSaysOfARealReader(row: Row) async throws {
            let outcome = try await USBBus.one(row.model, faults: [row.fault], user: row.user).run(["nfc-list"])
            #expect((outcome.output + outcome.errors).contains(row.says), "\(outcome)")
            #expect(outcome.status != 124)
        }

        @Test(arguments: EmulatedReader.Model.allCases, 1...6)
        func garbageNeverHoldsNFCListUp(model: EmulatedReader.Model, seed: Int) async throws {
            let outcome = try await USBBus.one(model, faults: ["garbage=\(seed)"]).run(["nfc-list"])
            #expect(outcome.status != 124, "\(outcome)")
        }

        @Test func aReaderCanBeUnpluggedInTheMiddleOfACommand() async throws {
            let script = """
                handle = reader().open()
                handle.claimInterface(0)
                print(transfer(handle, FIRMWARE))
                print(attempt(lambda: transfer(handle, FIRMWARE)))
                print(attempt(lambda: handle.releaseInterface(0)))
                while len(context.getDeviceList(skip_on_error=True)) > 1: time.sleep(0.01)
                print('gone')
                """
            let outcome = try await USBBus.one(faults: ["unplug-at=2"]).run(PythonUSB.command(script))
            // "ACR122U207", and nothing more, because only the root hub is left.
            let lines = outcome.output.split(separator: "\n")
            #expect(lines.first == "80 0a 00 00 00 00 00 00 81 00 41 43 52 31 32 32 55 32 30 37")
            #expect(lines.dropFirst() == ["USBErrorNoDevice", "USBErrorNoDevice", "gone"], "\(outcome)")
            #expect(outcome.log.first?.plugged == false)
        }

        @Test func aBoundKernelDriverKeepsTheInterfaceUntilItIsDetached() async throws {
            let script = """
                handle = reader().open()
                print(handle.kernelDriverActive(0), attempt(lambda: handle.claimInterface(0)))
                handle.detachKernelDriver(0)
                print(handle.kernelDriverActive(0), handle.claimInterface(0) is not None)
                handle.releaseInterface(0)
                handle.attachKernelDriver(0)
                print(handle.kernelDriverActive(0))
                """
            let outcome = try await USBBus.one(faults: ["driver=pn533_usb"]).run(PythonUSB.command(script))
            #expect(outcome.output == "True USBErrorBusy\nFalse True\nTrue\n", "\(outcome)")
            #expect(outcome.log.first?.driver == true)
        }

        @Test func sysfsAndModulesShowABoundDriver() async throws {
            let look = "readlink -f /sys/bus/usb/devices/1-2:1.0/driver; cut -d' ' -f1 /proc/modules | xargs"
            let bound = try await USBBus.one(faults: ["driver"]).run(["sh", "-c", look])
            #expect(bound.output.hasSuffix("/sys/bus/usb/drivers/pn533_usb\npn533_usb pn533 nfc\n"), "\(bound)")
            let free = try await USBBus.one().run(["sh", "-c", "ls /sys/bus/usb/devices/1-2:1.0/driver; \(look)"])
            #expect(free.errors.contains("No such file or directory"))
        }

        @Test func aReaderThatIsMuteUntilAResetAnswersAfterIt() async throws {
            let script = """
                handle = reader().open()
                handle.claimInterface(0)
                print(attempt(lambda: transfer(handle, FIRMWARE, 100)))
                handle.resetDevice()
                print(transfer(handle, FIRMWARE)[-5:])
                """
            let outcome = try await USBBus.one(faults: ["mute-until-reset"]).run(PythonUSB.command(script))
            #expect(outcome.output == "USBErrorTimeout\n30 37\n", "\(outcome)")
            #expect(outcome.log.first?.resets == 1)
        }

        @Test func resetAndAlternateSettingFail() async throws {
            let script = """
                handle = reader().open()
                handle.claimInterface(0)
                print(attempt(lambda: handle.setInterfaceAltSetting(0, 0)))
                print(attempt(handle.resetDevice))
                """
            let bus = try USBBus.one(faults: ["reset=EIO", "altsetting=ETIMEDOUT"])
            let outcome = try await bus.run(PythonUSB.command(script))
            #expect(outcome.output == "USBErrorOther\nUSBErrorOther\n", "\(outcome)")
        }

        @Test func whoHasTheInterfaceKeepsItFromOthers() async throws {
            let script = """
                first, second = reader().open(), reader().open()
                first.claimInterface(0)
                print(attempt(lambda: second.claimInterface(0)), second.kernelDriverActive(0))
                first.close()
                second.claimInterface(0)
                """
            let outcome = try await USBBus.one().run(PythonUSB.command(script))
            #expect(outcome.output == "USBErrorBusy False\n", "\(outcome)")
            #expect(outcome.log.first?.claims == 2 && outcome.log.first?.releases == 2, "\(outcome)")
        }

        @Test func aReaderThatWorksOnceWorksAgainAfterReplugging() async throws {
            let script = """
                def address():
                    try: return reader().getDeviceAddress()
                    except IndexError: return None
                for number in range(3):
                    # After the second attempt, the reader is plugged in again, and gets another address.
                    while number == 2 and address() in (None, used): time.sleep(0.02)
                    used = address()
                    handle = reader().open()
                    handle.claimInterface(0)
                    print(attempt(lambda: transfer(handle, FIRMWARE, 100 if number == 1 else 5000))[-5:])
                    handle.close()
                """
            let bus = try USBBus.one(faults: ["once"])
            let outcome = try await bus.run(PythonUSB.command(script)) { program in
                try await program.wait(for: "the second attempt") { program.output.contains("meout") }
                try program.unplug()
                try program.plug()
            }
            #expect(outcome.output == "30 37\nmeout\n30 37\n", "\(outcome)")
            #expect(outcome.log.first?.device == 3)
        }

        @Test(arguments: ["no-access", "read-only"])
        func permissionsRefuseOtherUsers(fault: String) async throws {
            // Try more often than umockdev supports. The user nobody may not run the Python that has usb1.
            let script = """
                import os
                refused = set()
                for attempt in range(100):
                    try: os.open('/dev/bus/usb/001/002', os.O_RDWR)
                    except OSError as error: refused.add(type(error).__name__)
                print(*refused)
                """
            let bus = try USBBus.one(faults: [fault], user: "nobody")
            let outcome = try await bus.run(["/usr/bin/python3", "-c", script])
            #expect(outcome.output == "PermissionError\n", "\(outcome)")
        }
    }
}
