// A private pcscd with one reader, for a test

import Clibpcsclite
import Testing
import VirtualPCSC
import VirtualPN532

/// A daemon with one reader and one client.
struct Desk {
    let reader: VirtualPCSCReader
    let daemon: PrivatePCSCDaemon
    let client: Client
    let name: String

    static let uid = "E0 04 01 08 57 57 00 01"

    init(_ model: PCSCReaderModel = .acr1552u, _ tags: any VirtualContactlessCard...) throws {
        reader = VirtualPCSCReader(model: model, tags: tags)
        daemon = try PrivatePCSCDaemon(readers: [reader])
        client = try Client(daemon)
        let prefix = reader.friendlyName
        let names = try client.readers()
        name = try #require(names.first { $0.hasPrefix(prefix) })
    }

    func close() { daemon.stop() }
}
