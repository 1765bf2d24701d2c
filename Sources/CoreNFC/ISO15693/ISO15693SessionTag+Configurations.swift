// The commands of iOS 11 with retries, for tags of the iOS 11 session — CoreNFC NFCISO15693Tag,
// NFCTagCommandConfiguration

import Foundation
import ReaderInterface
import ReaderSession
import TagTypes

extension ISO15693SessionTag {
    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let retries = Retries(commandConfiguration)
        let (manufacturer, code) = (commandConfiguration.manufacturerCode, commandConfiguration.customCommandCode)
        let parameters = [UInt8](commandConfiguration.requestParameters)
        carryOut(completionHandler, or: Data()) { requests in
            try self.requireFirstSession()
            guard let manufacturer = UInt8(exactly: manufacturer), let code = UInt8(exactly: code),
                0xA0...0xDF ~= code
            else { throw NFCReaderError(.tagCommandConfigurationErrorInvalidParameters) }
            var request = try Self.request(code, .highDataRate, parameters)
            request.manufacturer = manufacturer
            return Data(try self.persist(retries) { try requests.send(request).data })
        }
    }

    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let retries = Retries(readConfiguration)
        let (range, chunkSize) = (readConfiguration.range, readConfiguration.chunkSize)
        carryOut(completionHandler, or: Data()) { requests in
            try self.requireFirstSession()
            guard let blocks = try? BlockNumbering.standard.blocks(range), chunkSize > 0 else {
                throw NFCReaderError(.tagCommandConfigurationErrorInvalidParameters)
            }
            var data = Data()
            for first in stride(from: blocks.lowerBound, to: blocks.upperBound, by: min(chunkSize, blocks.count)) {
                let part = NSRange(location: first, length: min(chunkSize, blocks.upperBound - first))
                let read = try self.persist(retries) {
                    try self.blocks(part, 0x23, .standard, .highDataRate, requests)
                }
                read.forEach { data += $0 }
            }
            return data
        }
    }

    private func requireFirstSession() throws(NFCReaderError) {
        guard readerSession.connectsTagsItself else { throw NFCReaderError(.readerErrorUnsupportedFeature) }
    }
}

/// How often a command is repeated while the tag does not answer, and the interval between attempts.
private struct Retries {
    /// The range of retries that Apple allows.
    private static let range = 0...256
    private static let longestInterval: TimeInterval = 3_600

    let maximum: Int
    let interval: TimeInterval
    let isValid: Bool

    init(_ configuration: NFCTagCommandConfiguration) {
        (maximum, interval) = (configuration.maximumRetries, configuration.retryInterval)
        isValid = Self.range ~= maximum && 0...Self.longestInterval ~= interval
    }
}

extension ISO15693SessionTag {
    /// The maximum time between two checks of whether the session has ended, in seconds.
    private static let look: TimeInterval = 0.02

    /// Runs a command, and repeats it while the tag does not answer.
    ///
    /// - Throws: the error of the command; code 101 if no retries are left; code 300 for invalid retry settings.
    private func persist<Value>(_ retries: Retries, _ command: () throws -> Value) throws -> Value {
        guard retries.isValid else { throw NFCReaderError(.tagCommandConfigurationErrorInvalidParameters) }
        var remaining = retries.maximum
        while true {
            do {
                return try command()
            } catch TagError.reader(.noAnswer) where retries.maximum > 0 {
                try core.activate(detected)
                guard remaining > 0 else {
                    throw NFCReaderError(.readerTransceiveErrorRetryExceeded, causedBy: ReaderError.noAnswer)
                }
                remaining -= 1
                try pause(retries.interval)
            }
        }
    }

    private func pause(_ interval: TimeInterval) throws(SessionError) {
        let end = ContinuousClock.now + .seconds(interval)
        while true {
            guard core.isRunning else { throw .ended }
            let rest = (end - ContinuousClock.now) / .seconds(1)
            guard rest > 0 else { return }
            Thread.sleep(forTimeInterval: min(rest, Self.look))
        }
    }
}
