// A MIFARE DESFire kept in memory — NXP MF3ICDx21_41_81, wrapped native commands and the ISO/IEC 7816-4 subset
import ReaderInterface

@testable import TagTypes

final class DESFireCard: Card {
    struct File: Equatable {
        let iso: [UInt8]
        var rights: Int
        var bytes: [UInt8]
    }

    final class Application {
        let dfName: [UInt8]
        var files: [UInt8: File] = [:]
        init(dfName: [UInt8]) { self.dfName = dfName }
    }

    /// GetVersion's first two frames.
    var version = bytes("04010101001805 04010101041805")
    var piccSettings: UInt8 = 0x0F
    var freeMemory = 4864
    /// The memory that a file takes in addition to its bytes.
    var headSize = 64
    /// Whether GetFileSettings ends the selection of the application.
    var losesApplication = false
    var applications: [Int: Application] = [:]
    /// Commands that changed something, by their INS.
    private(set) var changes: [UInt8] = []
    private var selected: Application?
    private var file: UInt8?
    private var pending: [[UInt8]] = []

    /// The application with the NDEF name.
    var ndef: Application? { applications.values.first { $0.dfName == bytes("D2760000850101") } }

    func reset() {
        selected = nil
        file = nil
        pending = []
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard framing == .handled, command.count >= 4 else { return nil }
        let data = command.count > 5 ? Array(command.dropFirst(5).prefix(Int(command[4]))) : []
        if command[0] == 0x90 { return native(command[1], data) }
        return iso(command[1], Int(command[2]) << 8 | Int(command[3]), data, command.last.map { Int($0) } ?? 0)
    }

    // MARK: Native

    private func native(_ ins: UInt8, _ data: [UInt8]) -> [UInt8] {
        if ins == 0xAF { return pending.isEmpty ? bytes("911C") : pending.removeFirst() }
        let (status, answer) = carryOut(ins, data)
        if status == 0, [0xCA, 0xCD, 0x3D, 0x5F].contains(ins) { changes.append(ins) }
        return answer + [0x91, status]
    }

    private func carryOut(_ ins: UInt8, _ data: [UInt8]) -> (UInt8, [UInt8]) {
        switch ins {
        case 0x60:
            pending = [Array(version[7...]) + bytes("91AF"), bytes("04112233445566 BA01020304 1226 9100")]
            return (0xAF, Array(version[..<7]))
        case 0x5A where data.count == 3: return select(little(data))
        case 0x45: return selected == nil ? (0, [piccSettings, 0x01]) : (0, [0x0F, 0x21])
        case 0x6A:
            guard piccSettings & 0x02 != 0 else { return (0xAE, []) }
            return (0, applications.keys.sorted().flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16)] })
        case 0x6E: return (0, [UInt8(freeMemory & 255), UInt8(freeMemory >> 8 & 255), UInt8(freeMemory >> 16)])
        case 0xCA: return createApplication(data)
        default: break
        }
        guard let selected else { return (0x9D, []) }
        switch ins {
        case 0x6F: return (0, selected.files.keys.sorted())
        case 0xCD: return createFile(data, in: selected)
        default: break
        }
        guard let number = data.first, let found = selected.files[number] else { return (0xF0, []) }
        switch ins {
        case 0xF5:
            if losesApplication { reset() }
            let size = found.bytes.count
            return (
                0,
                [
                    0, 0, UInt8(found.rights & 255), UInt8(found.rights >> 8), UInt8(size & 255),
                    UInt8(size >> 8 & 255),
                    UInt8(size >> 16),
                ]
            )
        case 0x5F where data.count == 4:
            guard found.rights & 15 == 14 else { return (0xAE, []) }
            selected.files[number]?.rights = little(data[2...])
            return (0, [])
        case 0xBD where data.count == 7: return readData(found, little(data[1..<4]), little(data[4...]))
        case 0x3D where data.count >= 7:
            let offset = little(data[1..<4])
            guard isWritable(found) else { return (0xAE, []) }
            guard little(data[4..<7]) == data.count - 7, offset + data.count - 7 <= found.bytes.count else {
                return (0xBE, [])
            }
            selected.files[number]?.bytes.replaceSubrange(offset..<offset + data.count - 7, with: data[7...])
            return (0, [])
        default: return (0x1C, [])
        }
    }

    private func little(_ bytes: some Collection<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

    private func select(_ identifier: Int) -> (UInt8, [UInt8]) {
        file = nil
        selected = applications[identifier]
        return (identifier == 0 || selected != nil ? 0 : 0xA0, [])
    }

    private func createApplication(_ data: [UInt8]) -> (UInt8, [UInt8]) {
        guard selected == nil else { return (0x9D, []) }
        guard piccSettings & 0x04 != 0 else { return (0xAE, []) }
        guard data.count >= 7, data[4] & 0x20 != 0 else { return (0x7E, []) }
        let name = Array(data[7...])
        guard applications[little(data[0..<3])] == nil, !applications.values.contains(where: { $0.dfName == name })
        else { return (0xDE, []) }
        applications[little(data[0..<3])] = Application(dfName: name)
        freeMemory -= 160
        return (0, [])
    }

    private func createFile(_ data: [UInt8], in application: Application) -> (UInt8, [UInt8]) {
        guard data.count == 9, data[3] == 0 else { return (0x7E, []) }
        let iso = [data[2], data[1]]
        guard application.files[data[0]] == nil, !application.files.values.contains(where: { $0.iso == iso }) else {
            return (0xDE, [])
        }
        let size = little(data[6...])
        let taken = (size + 31) / 32 * 32 + headSize
        guard taken <= freeMemory else { return (0x0E, []) }
        freeMemory -= taken
        application.files[data[0]] = File(
            iso: iso, rights: little(data[4..<6]), bytes: Array(repeating: 0, count: size))
        return (0, [])
    }

    private func isReadable(_ file: File) -> Bool { file.rights >> 12 == 14 || file.rights >> 4 & 15 == 14 }
    private func isWritable(_ file: File) -> Bool { file.rights >> 8 & 15 == 14 || file.rights >> 4 & 15 == 14 }

    private func readData(_ file: File, _ offset: Int, _ count: Int) -> (UInt8, [UInt8]) {
        guard isReadable(file) else { return (0xAE, []) }
        return offset + count <= file.bytes.count ? (0, Array(file.bytes[offset..<offset + count])) : (0xBE, [])
    }

    // MARK: ISO

    private func iso(_ ins: UInt8, _ p: Int, _ data: [UInt8], _ le: Int) -> [UInt8] {
        switch ins {
        case 0xA4 where p == 0x0400:
            guard let found = applications.values.first(where: { $0.dfName == data }) else { return bytes("6A82") }
            selected = found
            file = nil
            return bytes("9000")
        case 0xA4:
            file = selected?.files.first { $0.value.iso == data }?.key
            return bytes(file == nil ? "6A82" : "9000")
        default: break
        }
        guard let file, let found = selected?.files[file] else { return bytes("6986") }
        switch ins {
        case 0xB0:
            guard isReadable(found) else { return bytes("6982") }
            guard le <= 59 else { return bytes("6700") }
            return Array(found.bytes[min(p, found.bytes.count)..<min(p + le, found.bytes.count)]) + bytes("9000")
        case 0xD6:
            guard isWritable(found) else { return bytes("6982") }
            guard data.count <= 52, p + data.count <= found.bytes.count else { return bytes("6700") }
            selected?.files[file]?.bytes.replaceSubrange(p..<p + data.count, with: data)
            changes.append(ins)
            return bytes("9000")
        default: return bytes("6D00")
        }
    }
}
