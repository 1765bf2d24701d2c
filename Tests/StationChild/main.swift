// A station of a plan as a separate process with simulated tags; the campaign kills it, and the server, during its work
//
//   StationChild URI PLAN STATION BOX SEED PACE
//
// STATION is desk-N, N from 0 to 254. PACE is the maximum time for a tag in milliseconds. Each line of the output is
// `begun`; `proven ROW UID` once this is confirmed; `away` or `back` for the database; `stop WHY` or `violation WHAT` at
// the end. The exit code is 0 if the plan is done, 75 if the station may be started again, and another one for a defect.

import Foundation
import PostgreSQLJournal
import Provisioning
import SimulatedTags

let arguments = CommandLine.arguments
guard arguments.count == 7, let seed = UInt64(arguments[5]), let pace = Int(arguments[6]),
    let index = arguments[3].split(separator: "-").last.flatMap({ Int($0) })
else { exit(64) }

do {
    let server = PlanServer(try ServerAddress(arguments[1]))
    let journal = try server.open(plan: arguments[2], station: arguments[3])
    say("begun")
    var station = SimulatedStation(
        journal, index: index, box: try TagBox(arguments[4]), seed: seed, pace: .milliseconds(pace))
    try station.run()
    say("stop done")
} catch let violation as Violation {
    say("violation \(violation.text)")
    exit(3)
} catch let error as JournalError {
    switch error {
    case .away(_, let reason): say("stop away \(reason)")
    case .stepsKept(_, let rows, _, let reason): say("stop kept \(rows) \(reason)")
    case .stationTaken: say("stop taken")
    default:
        say("error \(error)")
        exit(2)
    }
    exit(75)
} catch {
    say("error \(error)")
    exit(2)
}
