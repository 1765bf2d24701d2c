// Password for reading — NXP NTAG213/215/216 data sheet, ACCESS bit PROT

struct ReadPassword: Rule {
    let name = "readPassword"
    let evidence = "https://community.nxp.com/thread/487451"

    func findings(in subject: Subject) -> [Finding] {
        guard subject.tag?.password == .reading else { return [] }
        return [
            finding(
                .error, Phone.allCases, "Reading needs a password (PROT is set), and phones do not ask for one.",
                advice: "Remove the protection, or protect only writing.")
        ]
    }
}
