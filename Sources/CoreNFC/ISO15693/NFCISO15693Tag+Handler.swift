// The handler forms of the iOS 13 commands, for an app's own tags that implement the async forms — CoreNFC
// NFCISO15693Tag

public import Foundation

extension NFCISO15693Tag {
    /// Calls the `async` form of this method.
    @preconcurrency
    public func stayQuiet(
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.stayQuiet()
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        answer(completionHandler, or: Data()) {
            try await $0.readSingleBlock(requestFlags: flags, blockNumber: blockNumber)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.writeSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func lockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.lockBlock(requestFlags: flags, blockNumber: blockNumber)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        answer(completionHandler, or: []) {
            try await $0.readMultipleBlocks(requestFlags: flags, blockRange: blockRange)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.writeMultipleBlocks(requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func select(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.select(requestFlags: flags)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func resetToReady(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.resetToReady(requestFlags: flags)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeAFI(
        requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.writeAFI(requestFlags: flags, afi: afi)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func lockAFI(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.lockAFI(requestFlags: flags)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeDSFID(
        requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.writeDSFID(requestFlags: flags, dsfid: dsfid)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func lockDSFID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.lockDSFID(requestFlags: flags)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        answer(completionHandler, or: []) {
            try await $0.getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        answer(completionHandler, or: Data()) {
            try await $0.customCommand(
                requestFlags: flags, customCommandCode: customCommandCode,
                customRequestParameters: customRequestParameters)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        answer(completionHandler, or: Data()) {
            try await $0.extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.extendedWriteSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func extendedLockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        answer(completionHandler) {
            try await $0.extendedLockBlock(requestFlags: flags, blockNumber: blockNumber)
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        answer(completionHandler, or: []) {
            try await $0.extendedReadMultipleBlocks(requestFlags: flags, blockRange: blockRange)
        }
    }

    private func answer(
        _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
        with command: @escaping @Sendable (any NFCISO15693Tag) async throws -> Void
    ) {
        answer({ completionHandler($1) }, or: (), with: command)
    }

    private func answer<Value: Sendable>(
        _ completionHandler: @escaping @Sendable (Value, (any Error)?) -> Void, or nothing: Value,
        with command: @escaping @Sendable (any NFCISO15693Tag) async throws -> Value
    ) {
        nonisolated(unsafe) let tag: any NFCISO15693Tag = self
        Task {
            do { completionHandler(try await command(tag), nil) } catch { completionHandler(nothing, error) }
        }
    }
}
