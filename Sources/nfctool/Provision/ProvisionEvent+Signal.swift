// The events of a run that the reader signals with sound and light — Docs/CommandLine.md, --beep and --led

import Provisioning
import ReaderInterface

extension Beep {
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
    /// The signal that the reader shows for the event, or nil if the present signal stays.
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
