// A reader of a model under a daemon, and the tag in its field

import Foundation
import VirtualPN532
@testable import PCSCReaders
@testable import VirtualPCSC

struct MatrixPlace: Sendable {
    let virtual: VirtualPCSCReader
    private let name: String
    private let context: SmartCardContext
    private let folder: URL

    /// Connects to a virtual reader.
    ///
    /// The folder is for journals.
    init(_ virtual: VirtualPCSCReader, in folder: URL) throws {
        (self.virtual, self.folder) = (virtual, folder)
        context = try SmartCardContext()
        name = try context.readers().first { $0.hasPrefix(virtual.friendlyName) } ?? ""
    }

    var bench: MatrixBench { MatrixBench(reader: "pcsc:\(virtual.friendlyName)", folder: folder) }

    /// Replaces the tag, and waits until pcscd has noticed this.
    func place(_ tag: any VirtualTag) throws {
        virtual.remove()
        var state = try context.state(of: name)
        for _ in 0..<20 where state.isPresent {
            state = try context.state(of: name, unlike: state, milliseconds: 250)
        }
        virtual.place(tag)
        // pcscd never sees a tag that the reader does not support. Other tags may take seconds on a busy machine.
        guard virtual.model.canSee(tag) else { return }
        for _ in 0..<80 where !state.isPresent {
            state = try context.state(of: name, unlike: state, milliseconds: 250)
        }
    }

    /// Whether the reader supports a tag.
    ///
    /// If it does not, pcscd must not see the tag.
    func canSee(_ tag: any VirtualTag) -> Bool {
        if virtual.model.canSee(tag) { return true }
        return (try? place(tag)) != nil && ((try? context.state(of: name).isPresent) ?? false)
    }

    /// Pulls the tag away during an exchange with the reader.
    ///
    /// The exchanges are counted from now on, and nil means never.
    func pull(at number: Int?) {
        var faults = PCSCFaults()
        faults.pull = number
        virtual.faults = faults
    }
}
