// Tag files for tests, removed with the test

import Glibc

/// A path in /tmp that ends in `.nfc`; the file is removed at the end.
final class TemporaryFile: CustomStringConvertible {
    let description = "/tmp/nfctool-test-\(UInt64.random(in: 0...UInt64.max)).nfc"

    deinit { unlink(description) }
}
