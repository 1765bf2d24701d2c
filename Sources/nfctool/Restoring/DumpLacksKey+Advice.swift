// Advice about a dump that lacks keys of a MIFARE Classic

import SafeTag

extension DumpLacksKey: AdvisedError {
    var advice: String? {
        let one = sectors.count == 1
        return """
            Nothing was changed. Write the key\(one ? "" : "s") into the dump, or restore the dump without --configuration.
            The keys and access bits of all sectors then stay as they are on the tag.
            """
    }
}
