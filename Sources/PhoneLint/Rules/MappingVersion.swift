// The version of the NDEF mapping — NFC Forum T2T and T5T, capability container byte 1

struct MappingVersion: Rule {
    let name = "mappingVersion"
    let evidence = "NFC Forum T2T, version treatment of the capability container"

    func findings(in subject: Subject) -> [Finding] {
        if let version = subject.tag?.type5Container?.majorVersion, version != 1 {
            return [
                finding(
                    .error, Phone.allCases, "The capability container has version \(version); phones support 1.x.",
                    advice: "Correct the version in the capability container, if the tag allows it.")
            ]
        }
        guard let version = subject.tag?.type2Container?.version, version >> 4 != 1 else { return [] }
        return [
            finding(
                .error, Phone.allCases,
                "The capability container has version \(version >> 4).\(version & 0x0F); phones support 1.x.",
                advice: "This byte can never be cleared: use another tag.")
        ]
    }
}
