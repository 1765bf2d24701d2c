// The memory map of a Type 3 Tag, block by block — NFC Forum T3T; FeliCa Lite-S User's Manual, Block Configuration

import Hexadecimal
import ReaderInterface

extension Type3Tag {
    /// The maximum number of blocks in a map, which hold 16 KiB together.
    private static let maximumBlockCount = 1024

    /// Reads every block, and determines the role of each.
    ///
    /// In the map, blocks that cannot be read have no bytes.
    public func memoryMap() throws(TagError) -> MemoryMap {
        let (attributes, configuration) = try readableArea()
        var map = MemoryMap()
        map.systemCodes = try memory.systemCodes()
        for number in blockNumbers(attributes) {
            let bytes = try readable(number)
            // On an unknown chip, the first block that cannot be read marks the end of the memory.
            if bytes == nil, memory.lite == nil { break }
            map.blocks.append(
                MemoryMap.Block(
                    number: number, bytes: bytes, role: role(of: number, attributes),
                    isLocked: configuration.map { number < 14 && !$0.isWritable(number) } ?? false))
        }
        guard let attributes else { return map }
        map.capabilityContainer = attributes.bytes
        map.fields = [
            MemoryMap.Field(
                name: "version", value: "\(attributes.majorVersion).\(attributes.bytes[0] & 0x0F)"),
            MemoryMap.Field(name: "Nbr", value: "\(attributes.readBlockCount)"),
            MemoryMap.Field(name: "Nbw", value: "\(attributes.writeBlockCount)"),
            MemoryMap.Field(name: "Nmaxb", value: "\(attributes.dataBlockCount)"),
            MemoryMap.Field(name: "WriteFlag", value: attributes.bytes[9].hex),
            MemoryMap.Field(name: "RWFlag", value: attributes.bytes[10].hex),
            MemoryMap.Field(name: "Ln", value: "\(attributes.length)"),
        ]
        return map
    }

    /// Returns the attributes and the configuration, each `nil` if it cannot be decoded.
    ///
    /// A tag with invalid data also gets a map, so errors in the data are ignored.
    private func readableArea() throws(TagError) -> (Type3AttributeBlock?, FeliCaMemoryConfiguration?) {
        do throws(TagError) {
            if case .present(let attributes, let configuration) = try detectedArea() {
                return (attributes, configuration)
            }
        } catch {
            if error.isOfConnection { throw error }
        }
        return (nil, FeliCaMemoryConfiguration(memory.cached(FeliCaMemoryConfiguration.number)))
    }

    private func blockNumbers(_ attributes: Type3AttributeBlock?) -> [Int] {
        if memory.lite != nil { return Array(0...0x0E) + Array(0x80...0x88) + Array(0x90...0x92) + [0xA0] }
        return Array(0..<min((attributes?.dataBlockCount ?? 0) + 1, Self.maximumBlockCount))
    }

    private func readable(_ number: Int) throws(TagError) -> [UInt8]? {
        do throws(TagError) {
            return try memory.block(number)
        } catch .refused {
            return nil
        } catch .reader(.notInFile) {
            return nil
        } catch .noReliableAnswer {
            return nil
        }
    }

    private func role(of number: Int, _ attributes: Type3AttributeBlock?) -> MemoryMap.Role {
        if memory.lite != nil, number > 0x0D {
            switch number {
            // These are REG, which counts down, and WCNT, which counts writes.
            case 0x0E, 0x90: return .counter
            case 0x82, 0x83: return .uid
            // These are RC, MAC, CK and MAC_A.
            case 0x80, 0x81, 0x87, 0x91: return .password
            default: return .configuration
            }
        }
        guard let attributes else { return .free }
        if number == Type3AttributeBlock.number { return .capabilityContainer }
        if messageBlocks(attributes).contains(number) { return .ndef }
        return number <= attributes.dataBlockCount ? .free : .reserved
    }
}
