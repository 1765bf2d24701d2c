// Identity and response times of a FeliCa tag — JIS X 6319-4, Polling, maximum response time

/// IDm and PMm of one system of a tag, and the answers that start with them.
struct FeliCaIdentity: Hashable, Sendable {
    enum Response: UInt8 {
        case polling = 0x01
        case requestService = 0x03
        case requestResponse = 0x05
        case read = 0x07
        case write = 0x09
        case searchServiceCode = 0x0B
        case requestSystemCode = 0x0D
        case requestServiceV2 = 0x33
        case requestSpecificationVersion = 0x3D
        case resetMode = 0x3F
    }

    /// The groups of commands for which PMm contains a maximum response time.
    ///
    /// The raw value is the position of the group's byte in PMm.
    enum TimedCommand: Int {
        /// Request Service.
        ///
        /// The time depends on the number of nodes.
        case requestService = 2
        /// Request Response and all other commands whose maximum time does not depend on a number of blocks or nodes.
        case fixed = 3
        case read = 5
        case write = 6
    }

    private enum Request {
        static let systemCode: UInt8 = 0x01
        static let performance: UInt8 = 0x02
    }

    static let success: [UInt8] = [0x00, 0x00]
    /// The communication performance in the answer to Polling: 212 and 424 kbit/s with automatic detection.
    private static let performance: [UInt8] = [0x00, 0x83]
    /// The time from the end of Polling to the first time slot.
    private static let firstSlot = Duration.microseconds(2_417)
    private static let slotTime = Duration.microseconds(1_208)
    /// The unit T of the maximum response time: 4096 carrier periods.
    private static let responseUnit = Duration.nanoseconds(302_065)

    let idm: [UInt8]
    let pmm: [UInt8]

    /// Whether a system code matches the code in a Polling, in which `FF` matches any byte.
    static func matches(_ systemCode: [UInt8], _ wanted: [UInt8]) -> Bool {
        zip(systemCode, wanted).allSatisfy { $0 == $1 || $1 == 0xFF }
    }

    /// Returns the answer to a Polling that matches a system with this code.
    func polled(_ systemCode: [UInt8], _ request: UInt8, lastSlot: UInt8) -> TagReply {
        let extra: [UInt8] =
            switch request {
            case Request.systemCode: systemCode
            case Request.performance: Self.performance
            default: []
            }
        // A real tag chooses a slot at random. This one always chooses the same slot.
        let slot = Int(idm.reduce(0) { $0 &* 31 &+ $1 }) % (Int(lastSlot & 0x0F) + 1)
        let delay = slot == 0 ? Self.firstSlot : Self.slotTime
        var answer = reply(.polling, pmm + extra, delay)
        answer.slot = slot
        return answer
    }

    /// Returns an answer: length byte, response code, IDm and data.
    func reply(_ response: Response, _ data: [UInt8], _ delay: Duration) -> TagReply {
        let body = [response.rawValue] + idm + data
        return TagReply(.bytes([UInt8(truncatingIfNeeded: body.count + 1)] + body), delay: delay)
    }

    /// Returns the maximum response time according to PMm: T × ((B + 1) n + (A + 1)) × 4^E.
    ///
    /// The command selects the byte in PMm that contains A, B and E. `count` is n, the number of blocks or nodes.
    func responseTime(of command: TimedCommand, _ count: Int = 0) -> Duration {
        let parameter = pmm[command.rawValue]
        let (a, b, e) = (Int(parameter & 0x07), Int(parameter >> 3 & 0x07), Int(parameter >> 6))
        return Self.responseUnit * (((b + 1) * count + a + 1) << (2 * e))
    }
}
