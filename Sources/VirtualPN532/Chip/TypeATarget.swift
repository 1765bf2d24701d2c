// Activation of a type A target by the firmware — ISO/IEC 14443-3; NXP UM0701-02, InListPassiveTarget

/// The data that the chip keeps about an activated type A target.
struct TypeATarget: Hashable {
    /// SAK bit 6, which means that the tag supports ISO/IEC 14443-4.
    static let isoDEPBit: UInt8 = 0x20

    /// ATQA in the order in which it is sent: low byte first.
    var sensRes: [UInt8]
    var selRes: UInt8
    /// The UID including its cascade tags.
    var cascadeUID: [UInt8]
    /// The ATS including its length byte; empty if RATS was not sent.
    var ats: [UInt8] = []

    var isISODEP: Bool { selRes & Self.isoDEPBit != 0 }

    var nfcID1: [UInt8] {
        stride(from: 0, to: cascadeUID.count, by: 4).flatMap { start in
            let part = cascadeUID[start..<min(start + 4, cascadeUID.count)]
            return start + 4 < cascadeUID.count ? part.dropFirst() : part
        }
    }

    /// The target data: `SENS_RES (high byte first), SEL_RES, NFCIDLength, NFCID1t, [ATS]`.
    var targetData: [UInt8] {
        let uid = nfcID1
        return sensRes.reversed() + [selRes, UInt8(truncatingIfNeeded: uid.count)] + uid + ats
    }
}

extension Radio {
    /// Sends REQA, or WUPA if a UID is given, and selects one of the tags that answer.
    ///
    /// - Parameter cascadeUID: the UID including its cascade tags, or its first bytes. Anticollision finds the other
    ///   bytes.
    /// - Returns: the selected tag, or the reason why none was selected. It is `.timeout` if no tag answered the
    ///   request or SELECT.
    func activateTypeA(_ cascadeUID: [UInt8]) -> Result<TypeATarget, ChipStatus> {
        let request = AirFrame(bytes: [cascadeUID.isEmpty ? Self.senseRequest : Self.wakeUpRequest], lastBits: 7)
        let sensRes: [UInt8]
        switch exchange(request, timeout: Self.activationTimeout) {
        case .silence: return .failure(.timeout)
        case .garbled(_, let status): return .failure(status)
        case .frame(let frame): sensRes = frame.bytes
        case .collision(_, let bytes): sensRes = bytes
        }
        var uid: [UInt8] = []
        for (level, code) in Self.selectCodes.enumerated() {
            let wanted = Array(cascadeUID.dropFirst(4 * level).prefix(4))
            switch anticollide(code, wanted: wanted) {
            case .failure(let status): return .failure(status)
            case .success(let cascade):
                uid += cascade.prefix(4)
                let select = AirFrame.withCRC([code, Self.allBits] + cascade)
                guard case .frame(let frame) = exchange(select, timeout: Self.activationTimeout),
                    let selRes = frame.data?.first
                else { return .failure(.timeout) }
                if selRes & Self.cascadeBit == 0 {
                    return .success(TypeATarget(sensRes: sensRes, selRes: selRes, cascadeUID: uid))
                }
            }
        }
        return .failure(.protocolError)
    }

    /// Performs the anticollision at one cascade level, and returns CLn and BCC of one tag.
    ///
    /// After a collision, the tags with bit value 1 continue.
    private func anticollide(_ code: UInt8, wanted: [UInt8]) -> Result<[UInt8], ChipStatus> {
        if wanted.count == 4 { return .success(wanted + [wanted.reduce(0, ^)]) }
        var prefix = wanted
        var bits = 8 * wanted.count
        while bits < 40 {
            let validBits = UInt8(2 + bits / 8) << 4 | UInt8(bits % 8)
            let frame = AirFrame(bytes: [code, validBits] + prefix, lastBits: bits % 8)
            let answer = exchange(frame, timeout: Self.activationTimeout)
            // The first byte of the answer completes the last byte of the prefix.
            let whole = Array(prefix.prefix(bits / 8))
            let partial = bits % 8 == 0 ? 0 : prefix.last ?? 0
            switch answer {
            // A Type 1 Tag answers REQA but does not support anticollision.
            case .silence: return .failure(.bitCountError)
            case .garbled(_, let status): return .failure(status)
            case .frame(let frame):
                guard let first = frame.bytes.first else { return .failure(.bitCountError) }
                let cascade = whole + [first | partial] + frame.bytes.dropFirst()
                guard cascade.count == 5 else { return .failure(.bitCountError) }
                return cascade.reduce(0, ^) == 0 ? .success(cascade) : .failure(.checkByteError)
            case .collision(let bit, let bytes):
                guard let first = bytes.first, whole.count + bytes.count == 5 else { return .failure(.bitCountError) }
                let cascade = whole + [first | partial] + bytes.dropFirst()
                let position = 8 * whole.count + bit
                guard position >= bits, position < 32 else { return .failure(.collision) }
                bits = position + 1
                prefix = Array(cascade.prefix((bits + 7) / 8))
                if bits % 8 != 0 { prefix[prefix.count - 1] &= UInt8(truncatingIfNeeded: (1 << (bits % 8)) - 1) }
            }
        }
        return .failure(.collision)
    }
}
