// Advice about a dump that lacks keys of a MIFARE Classic

import SafeTag

extension DumpLacksKey: AdvisedError {
    var advice: String? {
        let one = sectors.count == 1
        return """
            Nothing was changed. Write the key\(one ? "" : "s") into the dump, or restore it without --configuration:
            then the keys and access bits of all sectors stay as they are on the tag.
            """
    }
}
