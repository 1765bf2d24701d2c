// Which events of a run are heard and seen at the reader — Docs/CommandLine.md, --beep and --led

import Provisioning
import ReaderInterface

extension Beep {
    /// Whether an event rings.
    func rings(for event: ProvisionEvent) -> Bool {
        switch event {
        case .finished, .known: contains(.ok)
        case .checked(let check): contains(check.agrees ? .ok : .fail)
        case .refused, .cut, .failed, .commandFailed, .readerLost, .databaseAway, .weakField, .manyRefused:
            contains(.fail)
        case .readerOpened, .databaseBack, .started, .initialising, .erased, .removed, .ended, .checkedAll: false
        }
    }
}

extension ProvisionEvent {
    /// What the reader shows for it; nil when that stays as it was.
    var signal: Signal.Event? {
        switch self {
        case .finished, .known: .success
        case .checked(let check): check.agrees ? .success : .failure
        case .refused, .cut, .failed, .commandFailed, .weakField, .manyRefused: .failure
        case .removed: .idle
        case .readerOpened, .readerLost, .databaseAway, .databaseBack, .started, .initialising, .erased, .ended,
            .checkedAll:
            nil
        }
    }
}
