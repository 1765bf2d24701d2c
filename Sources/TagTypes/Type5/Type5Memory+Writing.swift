// Programming a Type 5 Tag: blocks and locks — ISO/IEC 15693-3, Write Single Block and Lock Block

import ReaderInterface

extension Type5Memory {
    /// Sends WRITE SINGLE BLOCK until the tag answers.
    ///
    /// Does nothing if the cache shows that the block holds these bytes.
    ///
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` if the tag refuses;
    ///   ``TagError/passwordUnsupported(block:)`` if it refuses because of a password.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard cache[block] != bytes else { return }
        guard bytes.count == blockSize else { throw .unsupported(reason: "a write covers whole blocks") }
        cache[block] = nil
        let code = writeCode(of: block)
        let answer = try withOption(code, block, bytes) { command throws(TagError) in
            // Readers may time out although the write was carried out, so the contents of the block decide.
            try insist(on: command, of: block) { () throws(TagError) in
                try readOnce(block) == bytes
            }
        }
        if case .error(let error) = answer { throw try refusal(error, of: code, block) }
        cache[block] = bytes
    }

    /// Sends WRITE SINGLE BLOCK with the bytes that the block already holds, and returns whether the tag accepts it.
    ///
    /// Reading back proves nothing here, because the block holds these bytes in any case.
    func acceptsWriting(_ block: Int) throws(TagError) -> Bool {
        let bytes = try self.block(block)
        let code = writeCode(of: block)
        let answer = try withOption(code, block, bytes) { command throws(TagError) in
            try insist(on: command, of: block)
        }
        switch answer {
        case .data: return true
        case .error(let error) where error.mayBeLock: return false
        case .error(let error): throw error.refusal(of: code, at: offset(of: block))
        }
    }

    /// Sends LOCK BLOCK, which cannot be undone.
    ///
    /// After a missing answer, the security status shows whether the block is locked.
    func lock(_ block: Int) throws(TagError) {
        let code = lockCode(of: block)
        status.forget([block])
        let answer = try withOption(code, block, []) { command throws(TagError) in
            try insist(on: command, of: block) { () throws(TagError) in
                try isLocked(block) == true
            }
        }
        switch answer {
        case .data, .error(.alreadyLocked): break
        case .error(let error): throw try refusal(error, of: code, block)
        }
    }

    /// Sends a command that programs the memory.
    ///
    /// If the tag refuses the setting of the option flag, sends the command once more with the opposite setting.
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

    /// Checks, without sending anything, that the reader can send the commands that write or lock these blocks.
    ///
    /// - Throws: ``TagError/reader(_:)`` with `cannotSend`.
    func requireCarriage(writing blocks: some Sequence<Int>, locking: some Sequence<Int> = []) throws(TagError) {
        let bytes = [UInt8](repeating: 0, count: blockSize)
        for block in blocks { try requireCarriage(of: command(writeCode(of: block), block, bytes)) }
        for block in locking { try requireCarriage(of: command(lockCode(of: block), block)) }
    }

    private func requireCarriage(of command: ISO15693Command) throws(TagError) {
        guard !channel.carries(command.frame(to: uid), framing: .raw) else { return }
        // The channel does not send the command but throws an error that names its reader. If it did send the command,
        // the tag would refuse it, because it contains no block number.
        _ = try exchange(ISO15693Command(command.code, [], command.flags))
        throw .reader(.cannotSend(command: command.code.rawValue, reader: "in use"))
    }
}
