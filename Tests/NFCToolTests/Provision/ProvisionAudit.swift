// The result of a provisioning, read by independent programs: the journal by Python's sqlite3, and messages by nfcpy's
// ndef

import Foundation
import Testing

/// The audit of a provisioning: journal, plan, tags, and the journals left by kills.
struct ProvisionAudit: Decodable, Sendable {
    let findings: [String]
    let proven: Int
    /// The number of kills for each state of the row whose tag was on the reader.
    let killedAt: [String: Int]

    static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"] ?? "python3"

    static func run(in folder: String) async throws -> ProvisionAudit {
        try Data(script.utf8).write(to: URL(filePath: folder + "/audit.py"))
        let outcome = try await Tool.shell("\(python) audit.py", in: folder)
        try #require(outcome.status == 0, "\(outcome.errors)")
        return try JSONDecoder().decode(Self.self, from: Data(outcome.output.utf8))
    }

    private static let script = #"""
        import collections, csv, hashlib, json, pathlib, sqlite3
        import ndef

        findings = []

        def message(memory):
            """The NDEF message of a Type 2 Tag's memory; None when there is none."""
            assert memory[12] == 0xE1, "no capability container"
            area, at = memory[16:16 + 8 * memory[14]], 0
            while at < len(area) and area[at] != 0xFE:
                if area[at] == 0x00:
                    at += 1
                    continue
                tag, length, at = area[at], area[at + 1], at + 2
                if length == 0xFF:
                    length, at = int.from_bytes(area[at:at + 2], "big"), at + 2
                assert at + length <= len(area), "a TLV beyond the end"
                if tag == 0x03:
                    return bytes(area[at:at + length])
                at += length
            return None

        def journal(path):
            """Rows by number: (state, uid, message length, sha256); and the tags that were refused."""
            link = sqlite3.connect(path)
            assert link.execute("PRAGMA integrity_check").fetchone()[0] == "ok", path
            rows = link.execute("SELECT number, state, hex(uid), messageLength, sha256 FROM planRow").fetchall()
            refused = link.execute("SELECT hex(uid) FROM refusedTag").fetchall()
            tally = dict(link.execute("SELECT state, count FROM tally WHERE count > 0").fetchall())
            counted = collections.Counter(state for _, state, *_ in rows)
            if tally != counted:
                findings.append(f"{path}: the tally says {tally}, the rows {dict(counted)}")
            link.close()
            return {number: row for number, *row in rows}, {uid for uid, in refused}

        with open("plan.csv", newline="") as file:
            plan = [row["id"] for row in csv.DictReader(file)]
        rows, refused = journal("plan.csv.journal")

        # Each tag's content, and whose row it is.
        holders = collections.defaultdict(list)
        for path in sorted(pathlib.Path("tags").iterdir()):
            uid, memory = path.stem, path.read_bytes()
            own = [number for number, (_, owner, *_) in rows.items() if owner == uid]
            if len(own) > 1:
                findings.append(f"tag {uid} has rows {own}")
            octets = message(memory)
            if not octets:
                if own:
                    findings.append(f"tag {uid} of row {own} is empty")
                continue
            records = list(ndef.message_decoder(octets))
            uri = records[0].iri if len(records) == 1 and isinstance(records[0], ndef.UriRecord) else None
            number = next((n for n, id in enumerate(plan, 1) if uri == f"https://example.com/t/{id}?tag={uid}"), None)
            if number is None:
                findings.append(f"tag {uid} of row {own} holds {records}")
                continue
            holders[number].append(uid)
            if own != [number]:
                findings.append(f"tag {uid} holds row {number}; the journal gives it {own}")
            _, _, length, digest = rows.get(number, [None, None, 0, ""])
            if length != len(octets) or digest.upper() != hashlib.sha256(octets).hexdigest().upper():
                findings.append(f"row {number}: the journal proved {length} bytes, {digest}; the tag holds {octets.hex()}")

        for number in range(1, len(plan) + 1):
            if len(holders[number]) != 1:
                findings.append(f"row {number} is on tags {holders[number]}")
        if sorted(rows) != list(range(1, len(plan) + 1)):
            findings.append(f"the journal has {len(rows)} rows")
        for number, (state, *_) in rows.items():
            if state != "proven":
                findings.append(f"row {number} is {state}")

        # What the tool said it had proven stays so.
        for line in pathlib.Path("told").read_text().splitlines():
            number, uid = line.split()
            if rows.get(int(number), [None, None])[1] != uid:
                findings.append(f"the tool told that row {number} is on {uid}; the journal says {rows.get(int(number))}")

        # What each kill left: bound before the tag is touched, and what was proven stays with its tag.
        factory = bytes.fromhex("0103A00C340300FE") + bytes(144 - 8)
        killed, proven = collections.Counter(), {}
        for folder in sorted(pathlib.Path("kills").iterdir()):
            tag = next(folder.glob("*.bin"), None)
            then, thenRefused = {}, set()
            if (folder / "journal").exists():
                then, thenRefused = journal(folder / "journal")
            if tag:
                state = next((state for state, uid, *_ in then.values() if uid == tag.stem), "noRow")
                if state == "noRow" and tag.read_bytes()[16:160] != factory:
                    findings.append(f"{folder.name}: tag {tag.stem} was touched without a row")
            else:
                state = "noTag"
            killed[state if then else "noJournal"] += 1
            for number, uid in proven.items():
                if then.get(number, [None, None])[:2] != ["proven", uid]:
                    findings.append(f"{folder.name}: row {number} was proven on {uid}, now {then.get(number)}")
            proven.update({number: row[1] for number, row in then.items() if row[0] == "proven"})
        for number, uid in proven.items():
            if rows.get(number, [None, None])[:2] != ["proven", uid]:
                findings.append(f"at the end: row {number} was proven on {uid}, now {rows.get(number)}")

        print(json.dumps({
            "findings": findings, "proven": sum(state == "proven" for state, *_ in rows.values()), "killedAt": killed,
        }))
        """#
}
