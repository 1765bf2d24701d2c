// Hexadecimal in, hexadecimal out: how the tests of virtual tags communicate with them

@testable import VirtualPN532

extension TypeATag {
    /// Switches the field off and on, and sends WUPA and SELECT.
    @discardableResult func activate() -> Self {
        fieldOff()
        _ = poll(wakeUp: true)
        select()
        return self
    }
}

extension VirtualTag {
    /// Sends a frame, and returns the answer as text: bytes in hexadecimal, `ACK`, `NAK 0`, or `-` for silence.
    @discardableResult func send(_ hex: String) -> String {
        switch receive(bytes(hex)).answer {
        case .bytes(let bytes), .bare(let bytes): String(flipperBytes: bytes)
        case .nibble(0xA): "ACK"
        case .nibble(let code): "NAK \(code)"
        case .silence: "-"
        }
    }
}

extension VirtualTagKind {
    /// The kinds that a file can store.
    static let inFiles = allCases.filter { $0.make() is any PersistentTag }

    /// Creates a tag of this kind that a file can store.
    func file(serial: Int = 1) throws -> any PersistentTag {
        struct NoFile: Error {}
        guard let tag = make(serial: serial) as? any PersistentTag else { throw NoFile() }
        return tag
    }

    /// Creates a Type 2 Tag of this kind and selects it.
    func type2(serial: Int = 1) throws -> VirtualType2Tag {
        struct NotType2: Error {}
        guard let tag = make(serial: serial) as? VirtualType2Tag else { throw NotType2() }
        return tag.activate()
    }

    /// Creates a Type 4 Tag of this kind, selects it, and sends RATS (FSD 256, CID 0).
    func type4(serial: Int = 1) throws -> VirtualType4Tag {
        struct NotType4: Error {}
        guard let tag = make(serial: serial) as? VirtualType4Tag else { throw NotType4() }
        tag.activate().send("E0 80")
        return tag
    }
}

func bytes(_ hex: String) -> [UInt8] {
    hex.split(separator: " ").map { UInt8($0, radix: 16) ?? 0 }
}
