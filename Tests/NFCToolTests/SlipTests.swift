// Typical slips on the command line: each is refused, and the message says what to type instead

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct SlipTests {
        @Test(arguments: [
            ("nfctool ndef help", 64, "For help:  nfctool help ndef"),
            ("nfctool completion", 64, "nfctool --generate-completion-script bash"),
            ("nfctool provision stauts", 64, "Did you mean provision status? `nfctool help provision` lists"),
            ("nfctool provision a.csv b.csv --text x", 64, "Unexpected argument 'b.csv'. A run takes one plan."),
            ("nfctool read --reader virtaul:tag.nfc", 69, "Did you mean  --reader virtual:tag.nfc ?"),
            ("nfctool read --reader ''", 64, "The name of the reader is empty."),
            (
                "nfctool provision a.csv --text '{id}' --report r.pdf --dry-run", 64,
                "Cannot tell the format of the report"
            ),
            ("nfctool scan --count 1 --reader virtual -o package.json", 65, "does not contain a scan"),
            ("nfctool write --reader virtual --text $'caf\\xe9'", 64, "is not UTF-8 text."),
            ("nfctool ndef encode --wifi $'ssid=caf\\xe9;password=12345678'", 64, "is not UTF-8 text."),
            (
                "nfctool dump d.nfc --reader virtual:bagde.nfc", 0,
                "Created bagde.nfc, a new virtual tag. Did you mean badge.nfc?"
            ),
            (
                "nfctool protect --reader virtual:badge.nfc --password-file other", 77,
                "also give the one that it has now:  --old-password-file FILE"
            ),
        ])
        func slipIsExplained(line: String, status: Int32, words: String) async throws {
            try await Tool.withFolder { folder in
                let preparation = """
                    printf 'id\\n1\\n' > a.csv; cp a.csv b.csv; printf '{\\n  "name": "x"\\n}\\n' > package.json
                    echo 11223344 > password; echo 55667788 > other
                    nfctool protect --quiet --password-file password --reader 'virtual:badge.nfc?kind=ntag213' || exit 1
                    """
                let outcome = try await Tool.shell(preparation + "\n" + line, in: folder)
                #expect(outcome.status == status, "\(outcome.errors)")
                #expect(outcome.errors.contains(words), "\(outcome.errors)")
            }
        }
    }
}
