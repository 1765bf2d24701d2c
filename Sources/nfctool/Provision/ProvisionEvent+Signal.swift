// Which events of a run are heard and seen at the reader — Docs/CommandLine.md, --beep and --led

import Provisioning
import ReaderInterface

extension Beep {
    /// Whether an event rings.
    func rings(for event: ProvisionEvent) -> Bool {
        switch event {
        case .finished, .known: contains(.ok)
        case .refused, .cut, .failed, .commandFailed, .readerLost: contains(.fail)
        case .readerOpened, .started, .initialising, .erased, .weakField, .removed, .ended: false
        }
    }
}

extension ProvisionEvent {
    /// What the reader shows for it; nil when that stays as it was.
    var signal: Signal.Event? {
        switch self {
        case .finished, .known: .success
        case .refused, .cut, .failed, .commandFailed: .failure
        case .removed: .idle
        case .readerOpened, .readerLost, .started, .initialising, .erased, .weakField, .ended: nil
        }
    }
}
