// A live board of a plan for browsers — Docs/Stations.md, The board

import FlyingFox
import FlyingSocks
import Foundation
import Glibc
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
    ///   - token: what a browser has to know; nil for everybody who can connect.
    ///   - names: other names by which browsers reach this machine.
    /// - Throws: `tokenNeeded` for an address that other machines reach, without a token.
    public init(
        _ watch: PlanWatch, on address: BoardAddress, token: BoardToken?, names: [String] = []
    ) throws(BoardError) {
        guard address.isLoopback || token != nil else { throw .tokenNeeded(address) }
        self.watch = watch
        self.address = address
        guarding = BoardGuard(address, token: token, names: names)
    }

    /// Shows the board until it is cancelled.
    ///
    /// - Parameter listening: told the page's address, without a token, when it can be opened.
    /// - Throws: a `BoardError`, or what ended the watch.
    public func run(_ listening: @escaping @Sendable (_ page: String) throws -> Void) async throws {
        let server = HTTPServer(
            config: try configuration(), handler: BoardServer(guarding: guarding, feed: feed))
        try await withThrowingTaskGroup { group in
            defer {
                feed.end()
                group.cancelAll()
            }
            group.addTask {
                do {
                    try await server.run()
                } catch let error as SocketError {
                    try Task.checkCancellation()
                    throw boardError(error)
                }
            }
            group.addTask {
                try await server.waitUntilListening()
                try listening(page(at: await server.listeningAddress))
                try await watch.run { sight in
                    try feed.publish(sight)
                    return true
                }
            }
            // Neither ends by itself.
            try await group.next()
        }
    }

    private func configuration() throws(BoardError) -> HTTPServer.Configuration {
        do {
            return BoardAddress.isIPv4(address.host)
                ? .init(address: try .inet(ip4: address.host, port: address.port), logger: .disabled)
                : .init(address: try .inet6(ip6: address.host, port: address.port), logger: .disabled)
        } catch {
            throw .badAddress(address.host)
        }
    }

    private func page(at found: Socket.Address?) -> String {
        let port: UInt16 =
            switch found {
            case .ip4(_, let port), .ip6(_, let port): port
            default: address.port
            }
        let host = address.isEvery ? BoardAddress.machine : address.host
        return "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
    }

    private func boardError(_ error: SocketError) -> BoardError {
        guard case .failed(_, let code, let reason) = error else {
            return .unusable(address, reason: error.localizedDescription)
        }
        switch code {
        case EADDRINUSE: return .addressTaken(address)
        case EACCES: return .notAllowed(address)
        default: return .unusable(address, reason: reason)
        }
    }
}
