// The name of an Android application — Android manifest, "package"

import NDEF

/// A package name no app can have.
struct AppPackage: Rule {
    let name = "appPackage"
    let evidence = "https://developer.android.com/guide/topics/manifest/manifest-element"

    func findings(in subject: Subject) -> [Finding] {
        subject.apps.compactMap { part in
            guard case .app(let app) = part.content, !Self.isPackageName(app.package) else { return nil }
            return finding(
                .error, [.android], "“\(app.package)” is no package name: Android finds no such app.",
                advice: "Write the application ID as in its Play Store address: com.example.app", record: part.number)
        }
    }

    /// Two or more words of ASCII letters, digits and underscores, each beginning with a letter.
    private static func isPackageName(_ name: String) -> Bool {
        let words = name.split(separator: ".", omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { word in
                word.first.map { $0.isASCII && $0.isLetter } ?? false
                    && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
            }
    }
}
