// What goes to a USB reader beside libnfc: into step again, lamp and buzzer, its own polling

import Dispatch
@preconcurrency import Glibc
import Hexadecimal
import Logging
public import ReaderInterface

extension LibNFCReader {
    /// The way to the reader beside libnfc's.
    enum SideChannel {
        /// Nobody asked yet.
        case unknown
        case none
        case acr122U(ACR122U)
        case frames(USBPipe)
    }

    /// Milliseconds a reader gets to show that it is in step: much more than a sound one takes.
    private static let stepTime = 500

    /// Brings the reader into step after an answer that was late, cut off or another's: the next answer libnfc reads is that
    /// to its next command.
    ///
    /// - Returns: false when it does not show that it is; then only a new opening helps.
    func bringIntoStep() -> Bool {
        missteps += 1
        guard missteps <= Self.mostMissteps else { return false }
        let isInStep = withSideChannel(else: false) { channel throws(USBDeviceFile.Failure) in
            switch channel {
            case .acr122U(var reader):
                // Its answer has a number, which no late answer has.
                defer { channel = .acr122U(reader) }
                return try reader.isInStep(within: Self.stepTime)
            case .frames(let pipe): return try pipe.restartFrames(within: Self.stepTime)
            case .unknown, .none: return false
            }
        }
        logger.trace("! the reader is \(isInStep ? "in step again" : "out of step")")
        return isInStep
    }

    /// A reader that has to be brought into step so often in a row is not sound.
    private static let mostMissteps = 3

    private func withSideChannel<Value>(
        else failure: Value, _ work: (inout SideChannel) throws(USBDeviceFile.Failure) -> Value
    ) -> Value {
        if case .unknown = sideChannel { sideChannel = openSideChannel() }
        do throws(USBDeviceFile.Failure) {
            return try work(&sideChannel)
        } catch {
            logger.trace("! \(String(cString: strerror(error.code)))")
            return failure
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
    /// An ACR122U's lamp and buzzer; a failure is told once, and the next signal is tried all the same.
    public func signal(_ signal: Signal) -> Bool {
        dispatchPrecondition(condition: .onQueue(queue))
        guard isUsable, let command = ACR122U.command(for: signal) else { return false }
        let isShown = withSideChannel(else: false) { channel throws(USBDeviceFile.Failure) in
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

    /// Milliseconds until the reader answers, beside the time of the sound.
    private static let signalPatience = 500

    /// Gives an ACR122U the look for cards back that libnfc took from it, as other programs need it, and quietly.
    ///
    /// libnfc has closed it by then. Who else takes it in between, knows what it needs.
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
    /// The program that took the reader away from libnfc, as a person would call it; nil while libnfc's claim stands.
    ///
    /// The reset of a USB device, by which libnfc begins with an ACR122U, ends the claims of all programs.
    func taker() -> String? {
        guard let node, node.exists, let file = fileOfLibNFC(), !file.hasClaim() else { return nil }
        return node.holder() ?? "another program"
    }

    /// The file through which libnfc has the device open: of this process's open files of the node the one that is not the lock.
    private func fileOfLibNFC() -> USBDeviceFile? {
        guard let node, node.isUSB, let lock else { return nil }
        return USBDeviceFile.open(inThisProcess: node.path).first { $0.descriptor != lock.descriptor }
    }
}

extension USBPipe {
    private static let acknowledgement: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
    /// GetFirmwareVersion.
    private static let request: [UInt8] = [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00]
    private static let mostStaleFrames = 6

    /// Ends what a PN53x is doing (an ACK of the host), and reads until it answers GetFirmwareVersion and is silent then.
    fileprivate func restartFrames(within milliseconds: Int) throws(USBDeviceFile.Failure) -> Bool {
        try send(Self.acknowledgement, within: milliseconds)
        try send(Self.request, within: milliseconds)
        for _ in 0..<Self.mostStaleFrames {
            let frame = try receive(within: milliseconds)
            // D5 03: only this asked for it, but for libnfc at opening.
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
