// NDEF write on MIFARE Classic — NXP AN1304, NDEF Write Procedure, verified by reading back

extension ClassicTag {
    /// Reads the old message and the access bits of each sector to change, and plans the WRITE commands.
    public func planWrite(
        _ message: [UInt8], _ transition: WritePlan.Transition, oldMessage: WritePlan.OldMessage,
        followedBy trail: [UInt8]
    ) throws(TagError) -> WritePlan {
        let area = try writableArea()
        if transition == .atOnce {
            var plan = try WritePlan(
                switchingTo: message, over: try self.message(oldMessage), in: area.tlvs, ndef: area.ndef,
                unit: ClassicLayout.blockSize
            ) { (address) throws(TagError) in
                try memory.block(address / ClassicLayout.blockSize)
            }
            plan.displaced = try otherData(oldMessage, area)
            try checkAccess(plan)
            return plan
        }
        guard message.count <= area.tlvs.capacity else {
            throw .tooLong(length: message.count, capacity: area.tlvs.capacity)
        }
        let old = try self.message(oldMessage)
        let displaced = try otherData(oldMessage, area)
        for block in area.room.sharedUnits(of: ClassicLayout.blockSize, under: message.count + trail.count) {
            _ = try memory.block(block)
        }
        var plan = WritePlan(
            message, over: old, in: area.room, unit: ClassicLayout.blockSize, followedBy: trail
        ) { address in memory.cached(address / ClassicLayout.blockSize) }
        if displaced != trail { plan.displaced = displaced }
        try checkAccess(plan)
        return plan
    }

    /// Returns the TLVs of other programs after the old message, or `nil` if the plan need not keep that message.
    private func otherData(_ oldMessage: WritePlan.OldMessage, _ area: ClassicArea) throws(TagError) -> [UInt8]? {
        guard oldMessage == .kept else { return nil }
        return try area.tlvs.otherData(after: area.ndef, unit: ClassicLayout.blockSize) {
            (address) throws(TagError) in
            try memory.block(address / ClassicLayout.blockSize)[address % ClassicLayout.blockSize]
        }
    }

    /// Reads the whole data area, and plans an empty message followed by zeros.
    public func planWipe() throws(TagError) -> WritePlan {
        let area = try writableArea()
        let old = try readNDEF()
        for block in Set((area.tlvs.skipped + area.room.addresses).map { $0 / ClassicLayout.blockSize }).sorted() {
            _ = try memory.block(block)
        }
        let plan = WritePlan(
            wiping: old, in: area.room, skipped: area.tlvs.skipped, unit: ClassicLayout.blockSize
        ) { address in memory.cached(address / ClassicLayout.blockSize) }
        try checkAccess(plan)
        return plan
    }

    /// Carries out a plan with WRITE commands, and repeats those that get no answer.
    public func carryOut(_ plan: WritePlan, _ direction: WritePlan.Direction) throws(TagError) {
        // The plan may come from an earlier activation, so the keys for writing may not be known yet. The write
        // procedure reports refusals.
        for sector in sectors(of: plan) where memory.writers[sector] == nil {
            guard try refusal(of: sector) == nil else { break }
        }
        var procedure = WriteProcedure(plan, direction, in: memory)
        defer { forgetArea() }
        try procedure.run()
    }

    private func writableArea() throws(TagError) -> ClassicArea {
        let area = try presentArea()
        if let reason = try writeRefusal(area) { throw .readOnly(reason: reason) }
        guard area.room.addresses.count > 1 else { throw .readOnly(reason: "its NDEF TLV has no room for a message") }
        return area
    }

    /// Checks, before the first WRITE, that no sector will refuse a WRITE.
    private func checkAccess(_ plan: WritePlan) throws(TagError) {
        for sector in sectors(of: plan) {
            if let reason = try refusal(of: sector) { throw .readOnly(reason: reason) }
        }
    }

    private func sectors(of plan: WritePlan) -> [Int] {
        Set(plan.pieces.map { layout.sector(of: $0.address / ClassicLayout.blockSize) }).sorted()
    }

    /// Returns the reason why the area cannot be written with the known keys, or `nil` if it can be written.
    func writeRefusal(_ area: ClassicArea) throws(TagError) -> String? {
        if let reason = area.writeRefusal { return reason }
        return try refusal(of: area.sectors[0])
    }

    /// Returns the reason why a sector cannot be written with the known keys, or `nil` if it can be written.
    ///
    /// Also stores the key for writing.
    private func refusal(of sector: Int) throws(TagError) -> String? {
        let access = try memory.trailer(of: sector).access
        if access.isData(writableWith: .a) {
            // The sector may have been opened with a key B that can be read, which gives no access. Open it with key A.
            memory.writers[sector] = try memory.openedKey(sector, [.ndef] + memory.further(sector).of(.a))
            if memory.writers[sector] != nil { return nil }
        }
        if access.isData(writableWith: .b) {
            memory.writers[sector] = try memory.openedKey(sector, memory.further(sector).of(.b))
            if memory.writers[sector] != nil { return nil }
        }
        let keys = memory.ring == nil ? "with the NDEF key" : "with the keys that are known"
        return "the access bits of sector \(sector) do not allow writing \(keys)"
    }
}
