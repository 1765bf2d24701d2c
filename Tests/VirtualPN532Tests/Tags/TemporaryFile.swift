// Tag files for tests, which are removed with the test

import Glibc

/// A path in /tmp that ends in `.nfc`.
///
/// The file is removed when the object is released.
final class TemporaryFile: CustomStringConvertible {
    let description = "/tmp/nfctool-test-\(UInt64.random(in: 0...UInt64.max)).nfc"

    deinit { unlink(description) }
}
