// A virtual keyboard with which a program types text — Linux: linux/uinput.h, linux/input.h

import Cuinput
import Glibc
package import SystemPackage

/// A virtual keyboard that the kernel provides, and that desktops and consoles treat like a real one.
package final class VirtualKeyboard: Sendable {
    package struct Unavailable: Error {
        package let path: String
        package let code: Errno
    }

    package static let device = "/dev/uinput"
    private static let name = "nfctool keyboard"
    /// The time that a desktop needs to start using a new keyboard.
    private static let settling = Duration.milliseconds(500)
    /// The time between strokes.
    ///
    /// Without a pause, events could be lost, because the kernel buffers only 64 of them for a program that reads the
    /// keyboard.
    private static let pace = Duration.milliseconds(4)

    private let descriptor: Int32
    private let isDevice: Bool
    private let pace: Duration

    /// Creates a keyboard, and waits until desktops have recognised it.
    package static func plugIn(_ path: String = device) async throws -> VirtualKeyboard {
        let keyboard = try VirtualKeyboard(creating: path)
        try await Task.sleep(for: settling)
        return keyboard
    }

    /// Creates a keyboard that writes its events to an open descriptor.
    ///
    /// The keyboard closes the descriptor when it is released.
    package init(writingTo descriptor: Int32, pace: Duration = .zero) {
        (self.descriptor, isDevice, self.pace) = (descriptor, false, pace)
    }

    private init(creating path: String) throws(Unavailable) {
        descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unavailable(path: path, code: Errno(rawValue: errno)) }
        (isDevice, pace) = (true, Self.pace)
        var setup = uinput_setup()
        setup.id.bustype = UInt16(BUS_VIRTUAL)
        withUnsafeMutableBytes(of: &setup.name) { $0.copyBytes(from: Self.name.utf8) }
        let requests: [(request: UInt, value: Int32)] =
            [(uinput_set_event_type, EV_KEY)] + KeyboardLayout.codes.sorted().map { (uinput_set_key, Int32($0)) }
        guard requests.allSatisfy({ ioctl(descriptor, $0.request, $0.value) >= 0 }),
            ioctl(descriptor, uinput_setup_device, &setup) >= 0, ioctl(descriptor, uinput_create) >= 0
        else { throw Unavailable(path: path, code: Errno(rawValue: errno)) }
    }

    deinit {
        if isDevice { _ = ioctl(descriptor, uinput_destroy) }
        close(descriptor)
    }

    /// Presses and releases keys one after the other.
    ///
    /// A stroke that has started is completed even if the task is cancelled.
    package func type(_ strokes: [KeyStroke]) async throws {
        for stroke in strokes {
            try write(Self.events(of: stroke))
            if pace > .zero { try await Task.sleep(for: pace) }
        }
    }

    /// Returns the events of a stroke, as the kernel's `struct input_event`.
    ///
    /// All keys are released at the end.
    private static func events(of stroke: KeyStroke) -> [UInt8] {
        let shift = UInt16(KEY_LEFTSHIFT)
        let codes = (stroke.isShifted ? [shift] : []) + [stroke.code]
        let changes = codes.map { ($0, Int32(1)) } + codes.reversed().map { ($0, Int32(0)) }
        return changes.flatMap { code, value in
            bytes(UInt16(EV_KEY), code, value) + bytes(UInt16(EV_SYN), UInt16(SYN_REPORT), 0)
        }
    }

    /// Returns the bytes of an event.
    ///
    /// Its time is zero, because the kernel sets the time.
    private static func bytes(_ type: UInt16, _ code: UInt16, _ value: Int32) -> [UInt8] {
        let event = input_event(time: timeval(), type: type, code: code, value: value)
        return withUnsafeBytes(of: event) { Array($0) }
    }

    /// Writes all events at once.
    ///
    /// The kernel accepts only whole events. With one write per stroke, no key stays pressed if the process ends
    /// between two strokes.
    private func write(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            let code = Errno(rawValue: errno)
            if count < 0, code == .interrupted { continue }
            guard count > 0 else { throw code }
            rest = rest.dropFirst(count)
        }
    }
}
