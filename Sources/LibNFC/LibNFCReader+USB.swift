// Direct communication with a USB reader, without libnfc — resynchronisation, LED and buzzer, the reader's own polling

import Dispatch
@preconcurrency import Glibc
import Hexadecimal
import Logging
public import ReaderInterface

extension LibNFCReader {
    /// The direct channel to the reader, which bypasses libnfc.
    enum SideChannel {
        /// The channel has not been opened yet.
        case unknown
        case none
        case acr122U(ACR122U)
        case frames(USBPipe)
    }

    /// The time in milliseconds in which a reader must show that it is in step.
    ///
    /// A working reader needs much less.
    private static let stepTime = 500

    /// Resynchronises the reader after a late, incomplete or mismatched answer.
    ///
    /// Afterwards, the next answer that libnfc reads belongs to its next command.
    ///
    /// - Returns: false if the reader does not show that it is in step, and must be opened again.
    func bringIntoStep() -> Bool {
        missteps += 1
        guard missteps <= Self.mostMissteps else { return false }
        let isInStep = withSideChannel { channel throws(USBDeviceFile.Failure) in
            switch channel {
            case .acr122U(var reader):
                // The reader's answer has a new sequence number, which no late answer has.
                defer { channel = .acr122U(reader) }
                return try reader.isInStep(within: Self.stepTime)
            case .frames(let pipe): return try pipe.restartFrames(within: Self.stepTime)
            case .unknown, .none: return false
            }
        }
        logger.trace("! the reader is \(isInStep ? "in step again" : "out of step")")
        return isInStep
    }

    /// The maximum number of consecutive resynchronisations.
    ///
    /// A reader that needs more is faulty.
    private static let mostMissteps = 3

    /// Runs work on the side channel, and returns false if it fails.
    private func withSideChannel(_ work: (inout SideChannel) throws(USBDeviceFile.Failure) -> Bool) -> Bool {
        if case .unknown = sideChannel { sideChannel = openSideChannel() }
        do throws(USBDeviceFile.Failure) {
            return try work(&sideChannel)
        } catch {
            logger.trace("! \(String(cString: strerror(error.code)))")
            return false
        }
    }

    private func openSideChannel() -> SideChannel {
        guard let file = fileOfLibNFC(), (try? file.claim()) != nil, let pipe = USBPipe(file) else { return .none }
        switch link {
        case .acr122: return ACR122U(pipe).map(SideChannel.acr122U) ?? .none
        case .pn53xUSB: return .frames(pipe)
        case .frames: return .none
        }
    }
}

extension LibNFCReader: SignallingReader {
    /// Shows a signal with the LED and buzzer of an ACR122U, and returns false if that fails.
    ///
    /// A failure is reported only once, but the next signal is still tried.
    public func signal(_ signal: Signal) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isUsable, let command = ACR122U.command(for: signal) else { return false }
        let isShown = withSideChannel { channel throws(USBDeviceFile.Failure) in
            guard case .acr122U(var reader) = channel else { return false }
            defer { channel = .acr122U(reader) }
            logger.trace("> \(command.apdu.spacedHex) (\(signal.event.rawValue))")
            let answer = try reader.exchange(command.apdu, within: command.milliseconds + Self.signalPatience)
            logger.trace("< \(answer.spacedHex)")
            return answer.first == 0x90
        }
        if !isShown, case .acr122U = sideChannel, !hasToldOfSignals {
            hasToldOfSignals = true
            logger.debug("\(connection): the LED and the buzzer do not respond")
        }
        return isShown
    }

    /// The time in milliseconds in which the reader must answer, in addition to the duration of the sound.
    private static let signalPatience = 500

    /// Turns on an ACR122U's own polling for cards again, without sound, because other programs need it.
    ///
    /// libnfc had switched off this polling, and has already closed the reader. A program that claims the reader in the
    /// meantime makes its own settings.
    func restorePolling() {
        guard link == .acr122, !hasFailed, let node, node.isUSB, let lock else { return }
        let file = USBDeviceFile(descriptor: lock.descriptor)
        guard (try? file.claim()) != nil else { return }
        restorePolling(through: file)
        file.release()
    }

    private func restorePolling(through file: USBDeviceFile) {
        guard let pipe = USBPipe(file), var reader = ACR122U(pipe) else { return }
        do throws(USBDeviceFile.Failure) {
            for command in [ACR122U.quietDetection, ACR122U.ownPolling] {
                logger.trace("> \(command.spacedHex)")
                let answer = try reader.exchange(command, within: Self.stepTime)
                logger.trace("< \(answer.spacedHex)")
            }
        } catch {
            logger.trace("! \(String(cString: strerror(error.code)))")
        }
    }
}

extension LibNFCReader {
    /// Returns a readable name for the program that took the reader away from libnfc, or nil if there is none.
    ///
    /// When libnfc opens an ACR122U, it first resets the USB device, which ends the claims of all programs. Use this
    /// only after a failure, because libnfc's own claim is released for up to 0.2 s.
    func taker() -> String? {
        guard let node, node.exists, let file = fileOfLibNFC(), file.losesClaim(within: Self.takeover) else {
            return nil
        }
        return node.holder() ?? "another program"
    }

    /// How long to wait for another program to claim the device after that program has reset it.
    ///
    /// A reset of a full-speed device lasts about 0.1 s (from memory).
    private static let takeover = Duration.milliseconds(200)

    /// Returns the file through which libnfc uses the device.
    ///
    /// This process has that file open in addition to the locked one. Nil if the device is not on USB, or if there is
    /// no such file.
    private func fileOfLibNFC() -> USBDeviceFile? {
        guard let node, node.isUSB, let lock else { return nil }
        return USBDeviceFile.open(inThisProcess: node.path).first { $0.descriptor != lock.descriptor }
    }
}

extension USBPipe {
    private static let acknowledgement: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    /// The GetFirmwareVersion command as a frame.
    private static let request: [UInt8] = [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00]
    private static let mostStaleFrames = 6

    /// Ends a PN53x's present command with an ACK, and reads until the chip answers GetFirmwareVersion.
    ///
    /// Returns whether the chip is silent afterwards.
    fileprivate func restartFrames(within milliseconds: Int) throws(USBDeviceFile.Failure) -> Bool {
        try send(Self.acknowledgement, within: milliseconds)
        try send(Self.request, within: milliseconds)
        for _ in 0..<Self.mostStaleFrames {
            let frame = try receive(within: milliseconds)
            // D5 03 answers only this request, which libnfc itself sends only when it opens a reader.
            guard frame.count > 6, frame[5] == 0xD5, frame[6] == 0x03 else { continue }
            return try isSilent()
        }
        return false
    }

    private func isSilent() throws(USBDeviceFile.Failure) -> Bool {
        do throws(USBDeviceFile.Failure) {
            _ = try receive(within: 20)
            return false
        } catch {
            guard error.code == ETIMEDOUT else { throw error }
            return true
        }
    }
}
