// The package name of an Android application — Android manifest, "package"

import NDEF

struct AppPackage: Rule {
    let name = "appPackage"
    let evidence = "https://developer.android.com/guide/topics/manifest/manifest-element"

    func findings(in subject: Subject) -> [Finding] {
        subject.apps.compactMap { part in
            guard case .app(let app) = part.content, !app.isPackageName else { return nil }
            return finding(
                .error, [.android], "“\(app.package)” is not a package name: Android finds no such app.",
                advice: "Write the application ID from its Play Store address: com.example.app", record: part.number)
        }
    }
}
