// A row that cannot be reset because its tag is not finished

import Provisioning

/// A row cannot be reset while its tag is not verified.
///
/// Only `release` can free it.
struct RowUnderWay: Failure, AdvisedError {
    let cause: JournalError
    let row: Int
    let journal: String
    var name: ErrorName { cause.name }
    var message: String { cause.description }
    var advice: String? { "To free the row:  nfctool provision release \(row)\(journal)" }
}
