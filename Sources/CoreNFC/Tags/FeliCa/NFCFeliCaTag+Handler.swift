// The handler forms of FeliCa commands, for an app's own tags that implement the async forms — CoreNFC NFCFeliCaTag

public import Foundation

extension NFCFeliCaTag {
    /// Calls the `async` form of this method.
    @preconcurrency
    public func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot)
                completionHandler(answer.0, answer.1, nil)
            } catch {
                completionHandler(Data(), Data(), error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func requestService(
        nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                completionHandler(try await tag.requestService(nodeCodeList: nodeCodeList), nil)
            } catch {
                completionHandler([], error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func requestResponse(
        completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                completionHandler(try await tag.requestResponse(), nil)
            } catch {
                completionHandler(0, error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList)
                completionHandler(answer.0, answer.1, answer.2, nil)
            } catch {
                completionHandler(0, 0, [], error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.writeWithoutEncryption(
                    serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData)
                completionHandler(answer.0, answer.1, nil)
            } catch {
                completionHandler(0, 0, error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func requestSystemCode(
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                completionHandler(try await tag.requestSystemCode(), nil)
            } catch {
                completionHandler([], error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.requestServiceV2(nodeCodeList: nodeCodeList)
                completionHandler(answer.0, answer.1, answer.2, answer.3, answer.4, nil)
            } catch {
                completionHandler(0, 0, .AES, [], [], error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.requestSpecificationVersion()
                completionHandler(answer.0, answer.1, answer.2, answer.3, nil)
            } catch {
                completionHandler(0, 0, Data(), Data(), error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func resetMode(
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                let answer = try await tag.resetMode()
                completionHandler(answer.0, answer.1, nil)
            } catch {
                completionHandler(0, 0, error)
            }
        }
    }

    /// Calls the `async` form of this method.
    @preconcurrency
    public func sendFeliCaCommand(
        commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        nonisolated(unsafe) let tag: any NFCFeliCaTag = self
        Task {
            do {
                completionHandler(try await tag.sendFeliCaCommand(commandPacket: commandPacket), nil)
            } catch {
                completionHandler(Data(), error)
            }
        }
    }
}
