// A live board of a plan for browsers — Docs/Stations.md, The board

import Foundation
public import Provisioning

/// Shows a plan to browsers without changing anything.
public struct PlanBoard: Sendable {
    private let watch: PlanWatch
    private let address: BoardAddress
    private let guarding: BoardGuard
    private let feed = BoardFeed()

    /// Prepares a board.
    ///
    /// The board does not listen yet.
    ///
    /// - Parameters:
    ///   - watch: the plan to show.
    ///   - address: the address to listen on.
    ///   - token: the token that a browser needs, or nil to allow every browser that can connect.
    ///   - names: other names by which browsers reach this machine, for example through a proxy.
    /// - Throws: without a token, `tokenNeeded` for an address that other machines can reach, or `tokenNeededForName`
    ///   for a name; in any case, `badName` for a name that is not a host name.
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

    /// Shows the board until the task is cancelled.
    ///
    /// - Parameter listening: receives the page's URL, without a token, once browsers can open it.
    /// - Throws: a `BoardError`, or the error that ended the watch.
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
            // Neither task ends by itself. If one ends without an error, this task was cancelled.
            try await group.next()
            throw CancellationError()
        }
    }

    private func page(at port: UInt16) -> String {
        let host = address.isEvery ? BoardAddress.machine : address.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }
}
