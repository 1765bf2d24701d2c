// A live board of a plan for browsers — Docs/Stations.md, The board

import Foundation
public import Provisioning

/// Shows a plan to browsers, and changes nothing.
public struct PlanBoard: Sendable {
    private let watch: PlanWatch
    private let address: BoardAddress
    private let guarding: BoardGuard
    private let feed = BoardFeed()

    /// Prepares a board; nothing is opened.
    ///
    /// - Parameters:
    ///   - watch: the plan to show.
    ///   - address: where to listen.
    ///   - token: what a browser has to know; nil for every browser that can connect.
    ///   - names: other names by which browsers reach this machine, as through a proxy.
    /// - Throws: without a token `tokenNeeded` for an address that other machines reach, `tokenNeededForName` for a
    ///   name; `badName`.
    public init(
        _ watch: PlanWatch, on address: BoardAddress, token: BoardToken?, names: [String] = []
    ) throws(BoardError) {
        for name in names where !BoardGuard.isName(name) { throw .badName(name) }
        if token == nil {
            guard address.isLoopback else { throw .tokenNeeded(address) }
            if let name = names.first { throw .tokenNeededForName(name) }
        }
        self.watch = watch
        self.address = address
        guarding = BoardGuard(address, token: token, names: names)
    }

    /// Shows the board until it is cancelled.
    ///
    /// - Parameter listening: told the page's address, without a token, when it can be opened.
    /// - Throws: a `BoardError`, or what ended the watch.
    public func run(_ listening: @escaping @Sendable (_ page: String) throws -> Void) async throws {
        let listener = try BoardListener(address, BoardServer(guarding: guarding, feed: feed))
        try await withThrowingTaskGroup { group in
            defer {
                listener.end()
                group.cancelAll()
            }
            group.addTask { try await listener.run() }
            group.addTask {
                try listening(page(at: listener.port))
                try await watch.run { sight in
                    try feed.publish(sight)
                    listener.ring()
                    return true
                }
            }
            // Neither ends by itself: when one does without an error, this task was cancelled.
            try await group.next()
            throw CancellationError()
        }
    }

    private func page(at port: UInt16) -> String {
        let host = address.isEvery ? BoardAddress.machine : address.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }
}
