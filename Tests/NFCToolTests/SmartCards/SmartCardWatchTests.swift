// `readers --watch` with PC/SC readers that come and go

import Foundation
import Testing
import VirtualPCSC

extension BuiltBinarySmartCards {
    @Suite struct SmartCardWatchTests {
        @Test func pcscReadersAreReportedWhenTheyArriveAndLeave() async throws {
            let desk = try SmartCardDesk(.acr1552u, .acr1252u)
            let names = desk.readers.map { "pcsc:\($0.friendlyName)" }
            let limit = Duration.seconds(10)
            let outcome = try await Tool.withFolder { folder in
                try await desk.run(["readers", "--watch", "--json"], in: folder, limit: .seconds(60)) { tool in
                    func hear(_ event: String, _ readers: [String]) async throws {
                        let start = ContinuousClock.now
                        var left = Set(readers)
                        while !left.isEmpty {
                            let line = try await tool.line { $0.contains("\"event\":\"\(event)\"") }
                            let reader = try Outcome.object(line)["reader"] as? [String: Any]
                            let name = try #require(reader?["reader"] as? String)
                            #expect(left.remove(name) != nil, "\(event): \(name)")
                        }
                        #expect(.now - start < limit)
                    }
                    let list = try await tool.line { $0.contains("\"readers\":[") }
                    for name in names { #expect(list.contains(name)) }
                    desk.readers[0].unplug()
                    try await hear("left", [names[0]])
                    try desk.readers[0].plug()
                    try await hear("arrived", [names[0]])
                    desk.daemon.kill()
                    try await hear("left", names)
                    try desk.daemon.restart()
                    try await hear("arrived", names)
                    tool.send(SIGINT)
                }
            }
            #expect(outcome.status == 130, "\(outcome.output) \(outcome.errors)")
        }
    }
}
