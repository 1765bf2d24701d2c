// A row that is not reset because its tag was not finished

import Provisioning

/// A row whose tag was not verified yet; `release` can free the row.
struct RowUnderWay: Failure, AdvisedError {
    let cause: JournalError
    let row: Int
    /// The options that name the journal in another command.
    let journal: String
    var name: ErrorName { cause.name }
    var message: String { cause.description }
    /// Advice for the user.
    var advice: String? { "To free the row:  nfctool provision release \(row)\(journal)" }
}
