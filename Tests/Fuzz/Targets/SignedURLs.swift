// Key files and URLs of tags that sign them — NXP AN12196, AN10922

@testable import SecureDynamicMessaging

extension FuzzTarget {
    static let signedURLs = [
        FuzzTarget(
            "sdm-keys",
            texts: [
                "00112233445566778899AABBCCDDEEFF\n",
                "0 = 00112233445566778899AABBCCDDEEFF\nmeta=\(zeros)\nfile=\(zeros)\n",
                "\(zeros)\nmeta=00112233445566778899AABBCCDDEEFF\ndiversify=AN10922\nsystem=shop\naid=3042F5\n",
            ]
        ) { text in
            guard let keys = try? SDMKeyFile(text) else { return }
            for uid in [[], [4, 1, 2, 3, 4, 5, 6], [UInt8](repeating: 7, count: 40)] as [[UInt8]] {
                _ = keys.keys(of: uid)
            }
            _ = keys.bytes
        },
        FuzzTarget(
            "sdm-url",
            texts: [
                "https://example.com/?picc={picc}&cmac={mac}\nhttps://example.com/?picc=\(zeros)&cmac=0011223344556677",
                "?e=\(zeros)&c=0011223344556677\n?e={picc}&c={mac}",
                "{uid}{counter}{mac}\n04010203040506000001\("0011223344556677")",
                "{signed}x{picc}{file:32}{mac}\nx\(zeros)\(zeros)0011223344556677",
            ]
        ) { text in
            let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            _ = try? SDMTap.verified(text, .factory)
            guard let template = try? SDMTemplate(lines[0]) else { return }
            _ = try? SDMLayout(template)
            for line in lines { verify(try? SDMAddress(line, template: template)) }
        },
    ]

    private static let zeros = String(repeating: "0", count: 32)

    private static func verify(_ address: SDMAddress?) {
        guard let address else { return }
        _ = try? SDMTap(address, .factory)
    }
}
