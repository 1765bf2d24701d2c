// Typing: keys, events and their bytes — linux/input.h, struct input_event on a 64-bit kernel

import Cuinput
import Foundation
import SystemPackage
import Testing

@testable import TagFeed

@Suite struct VirtualKeyboardTests {
    @Test func everyPrintableCharacterOfASCIIHasOneKey() throws {
        let printable = (UInt8(0x20)...0x7E).map { Character(UnicodeScalar($0)) }
        #expect(KeyboardLayout.characters == Set(printable + ["\n", "\t"]))
        #expect(Set(try printable.map { try KeyboardLayout.strokes(for: String($0)) }).count == printable.count)
    }

    @Test(arguments: [
        ("a", KEY_A, false), ("Z", KEY_Z, true), ("1", KEY_1, false), ("@", KEY_2, true), ("0", KEY_0, false),
        (")", KEY_0, true), ("-", KEY_MINUS, false), ("+", KEY_EQUAL, true), ("[", KEY_LEFTBRACE, false),
        ("}", KEY_RIGHTBRACE, true), (":", KEY_SEMICOLON, true), ("'", KEY_APOSTROPHE, false), ("~", KEY_GRAVE, true),
        ("\\", KEY_BACKSLASH, false), ("|", KEY_BACKSLASH, true), (",", KEY_COMMA, false), (">", KEY_DOT, true),
        ("?", KEY_SLASH, true), ("p", KEY_P, false), ("l", KEY_L, false), ("m", KEY_M, false), (" ", KEY_SPACE, false),
        ("\n", KEY_ENTER, false), ("\t", KEY_TAB, false),
    ])
    func aCharacterIsOnTheKeyThatTheUSLayoutHasItOn(text: String, code: Int32, isShifted: Bool) throws {
        #expect(try KeyboardLayout.strokes(for: text) == [KeyStroke(code: UInt16(code), isShifted: isShifted)])
    }

    @Test func aCharacterThatNoKeyMakesIsRefusedBeforeAnyStroke() {
        #expect(throws: MissingKey(character: "ü")) { try KeyboardLayout.strokes(for: "Tür") }
    }

    @Test func theEventsAreTheKernelsStructures() async throws {
        let ends = Pipe()
        let keyboard = VirtualKeyboard(writingTo: dup(ends.fileHandleForWriting.fileDescriptor))
        try await keyboard.type(KeyboardLayout.strokes(for: "A1"))
        try ends.fileHandleForWriting.close()
        withExtendedLifetime(keyboard) {}
        let bytes = Array(ends.fileHandleForReading.availableData)
        // A time of 16 zeros, type, code, value, all little endian. EV_KEY is 1, and EV_SYN 0. 2A is Shift, 1E is A,
        // and 02 is 1.
        let events = [
            "0100 2A00 01000000", "0000 0000 00000000", "0100 1E00 01000000", "0000 0000 00000000",
            "0100 1E00 00000000", "0000 0000 00000000", "0100 2A00 00000000", "0000 0000 00000000",
            "0100 0200 01000000", "0000 0000 00000000", "0100 0200 00000000", "0000 0000 00000000",
        ]
        #expect(bytes == events.flatMap { Array(repeating: 0, count: 16) + Self.bytes($0) })
    }

    @Test func theRequestsAreThoseOfTheKernel() {
        // _IO('U', 1), _IO('U', 2), _IOW('U', 3, 92 bytes), _IOW('U', 100, int), _IOW('U', 101, int).
        #expect(
            [uinput_create, uinput_destroy, uinput_setup_device, uinput_set_event_type, uinput_set_key]
                == [0x5501, 0x5502, 0x405C_5503, 0x4004_5564, 0x4004_5565])
    }

    @Test func aKeyboardThatCannotBeOpenedSaysWhich() async {
        let error = await #expect(throws: VirtualKeyboard.Unavailable.self) {
            _ = try await VirtualKeyboard.plugIn("/nonexistent/uinput")
        }
        #expect(error?.code == .noSuchFileOrDirectory)
    }

    /// A file accepts all writes, but none of the requests for a device.
    @Test func whatIsNoDeviceIsRefused() async {
        let error = await #expect(throws: VirtualKeyboard.Unavailable.self) {
            _ = try await VirtualKeyboard.plugIn("/dev/null")
        }
        #expect(error?.path == "/dev/null")
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.filter { $0 != " " })
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }
}
