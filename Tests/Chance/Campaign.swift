// Tests that are short in CI and long with `Scripts/test --campaign`
import Foundation

/// The size of a test that repeats an experiment many times.
///
/// Suites that use it have names that end in `Campaign`, or are listed in Scripts/test.
public enum Campaign {
    /// Whether `Scripts/test --campaign` runs the long form.
    public static let isLong = ProcessInfo.processInfo.environment["NFCTOOL_CAMPAIGN"] != nil

    /// The number of repetitions: `short` in CI, `long` in a campaign.
    public static func count(_ short: Int, long: Int) -> Int { isLong ? long : short }

    /// Returns the numbers of the commands after which something is interrupted: some commands in CI, and every command
    /// in a campaign.
    public static func cuts(through last: Int, every step: Int = 3) -> StrideThrough<Int> {
        stride(from: 1, through: last, by: isLong ? 1 : step)
    }
}
