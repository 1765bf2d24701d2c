// What a Type 5 Tag programs: blocks and locks — ISO/IEC 15693-3, Write Single Block and Lock Block

import ReaderInterface

extension Type5Memory {
    /// WRITE SINGLE BLOCK, repeated after silence; does nothing when the block is known to hold these bytes.
    ///
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` when the tag refuses.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard cache[block] != bytes else { return }
        guard bytes.count == blockSize else { throw .unsupported(reason: "a write covers whole blocks") }
        cache[block] = nil
        let code = writeCode(of: block)
        let answer = try withOption(code, block, bytes) { command throws(TagError) in
            // Readers give up on writes that were carried out: what the block holds decides.
            try insist(on: command, of: block, timeout: Self.writeTimeout) { () throws(TagError) in
                try readOnce(block) == bytes
            }
        }
        if case .error(let error) = answer { throw error.refusal(of: code, at: offset(of: block)) }
        cache[block] = bytes
    }

    /// WRITE SINGLE BLOCK of the bytes that the block holds; false when the tag refuses.
    ///
    /// Silence proves nothing here: the block holds these bytes in any case.
    func acceptsWriting(_ block: Int) throws(TagError) -> Bool {
        let bytes = try self.block(block)
        let code = writeCode(of: block)
        let answer = try withOption(code, block, bytes) { command throws(TagError) in
            try insist(on: command, of: block, timeout: Self.writeTimeout)
        }
        switch answer {
        case .data: return true
        case .error(let error) where error.mayBeLock: return false
        case .error(let error): throw error.refusal(of: code, at: offset(of: block))
        }
    }

    /// LOCK BLOCK, which nothing takes back; after silence the security status decides.
    func lock(_ block: Int) throws(TagError) {
        let code = lockCode(of: block)
        status.forget([block])
        let answer = try withOption(code, block, []) { command throws(TagError) in
            try insist(on: command, of: block, timeout: Self.writeTimeout) { () throws(TagError) in
                try isLocked(block) == true
            }
        }
        switch answer {
        case .data, .error(.alreadyLocked): break
        case .error(let error): throw error.refusal(of: code, at: offset(of: block))
        }
    }

    /// Sends a command that programs the memory; a tag that refuses the option flag as it is set gets the other setting, once.
    private func withOption(
        _ code: ISO15693Command.Code, _ block: Int, _ bytes: [UInt8],
        _ send: (ISO15693Command) throws(TagError) -> ISO15693Answer
    ) throws(TagError) -> ISO15693Answer {
        let answer = try send(command(code, block, bytes))
        guard case .error(.optionNotSupported) = answer else { return answer }
        wantsOption.toggle()
        let other = command(code, block, bytes)
        guard channel.carries(other.frame(to: uid), framing: .raw),
            case let second = try send(other), second != .error(.optionNotSupported)
        else {
            wantsOption.toggle()
            return answer
        }
        return second
    }

    /// Makes sure that the reader can send what writes, or locks, these blocks; nothing is sent.
    ///
    /// - Throws: ``TagError/reader(_:)`` with `cannotSend`.
    func requireCarriage(writing blocks: some Sequence<Int>, locking: some Sequence<Int> = []) throws(TagError) {
        let bytes = [UInt8](repeating: 0, count: blockSize)
        for block in blocks { try requireCarriage(of: command(writeCode(of: block), block, bytes)) }
        for block in locking { try requireCarriage(of: command(lockCode(of: block), block)) }
    }

    private func requireCarriage(of command: ISO15693Command) throws(TagError) {
        guard !channel.carries(command.frame(to: uid), framing: .raw) else { return }
        // The channel names its reader before it sends anything; should it send, the tag refuses a request without its block.
        _ = try exchange(ISO15693Command(command.code, [], command.flags))
        throw .reader(.cannotSend(command: command.code.rawValue, reader: "in use"))
    }
}
