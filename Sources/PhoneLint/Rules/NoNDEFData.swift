// Tags without an NDEF data area

struct NoNDEFData: Rule {
    let name = "noNDEFData"
    let evidence = "https://github.com/revtel/react-native-nfc-manager/issues/298"

    func findings(in subject: Subject) -> [Finding] {
        guard let tag = subject.tag, tag.status == .notSupported, tag.kind != .mifareClassic, tag.password != .reading,
            // Other rules report a container that violates these conditions.
            tag.type2Container.map({ $0.version >> 4 == 1 && $0.access >> 4 == 0 }) ?? true,
            tag.type5Container.map({ $0.majorVersion == 1 && $0.readAccess == 0 }) ?? true,
            tag.fileReadAccess ?? 0 == 0
        else { return [] }
        guard tag.kind != nil else {
            return [
                finding(
                    .error, Phone.allCases, "This is not an NFC Forum tag: phones find no message on it.",
                    advice: "Use an NFC Forum tag, for example an NTAG213.")
            ]
        }
        return [
            finding(
                .error, Phone.allCases,
                "There is no NDEF area on the tag: phones find no message, and an iPhone cannot create one.",
                advice: "Write it once with nfctool: nfctool write --uri https://example.com")
        ]
    }
}
