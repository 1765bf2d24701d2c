// Problems with a reader that pcscd opens

import Doctor
import ReaderInterface
import USBReaders

extension Situation {
    private static let model = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC]"
    private static let connection = "pcsc:usb:001:004"
    private static let running = SmartCardDaemon(
        process: Part.holder("pcscd", 612, user: 0), socketUnit: .enabled, serviceUnit: .disabled, isListening: true)

    private static func plugged(
        _ name: String, daemon: SmartCardDaemon = running, drivers: [SmartCardDriver] = [], _ opening: Opening? = nil
    ) -> Situation {
        Situation(
            name: name,
            survey: ReaderSurvey(
                readers: [Part.plugged(Part.reader(0x072F, 0x2303))],
                system: Part.system(daemon: daemon, drivers: drivers)),
            openings: opening.map { [connection: $0] } ?? [:])
    }

    private static func elsewhere(_ name: String, use: ListedReader.Use, _ opening: Opening) -> Situation {
        Situation(
            name: name, survey: ReaderSurvey(readers: [], system: Part.system(daemon: running)),
            listed: [ListedReader(connection: "pcsc:\(model)", use: use)], openings: ["pcsc:\(model)": opening])
    }

    package static let smartCards: [Situation] = [
        plugged("PCSC reader", .answered(chip: "ACS ACR1552U", after: .milliseconds(12))),
        plugged("PCSC reader without pcscd", daemon: SmartCardDaemon()),
        plugged(
            "PCSC reader and pcscd off", daemon: SmartCardDaemon(socketUnit: .disabled, serviceUnit: .disabled)),
        plugged(
            "PCSC reader newer than its driver",
            drivers: [
                SmartCardDriver(
                    name: "ifd-ccid", version: "1.5.2", readers: [.init(vendor: 0x072F, product: 0x2200)])
            ]),
        plugged(
            "PCSC reader that pcscd does not show", .failed(.noReader, message: "There is no reader of this name.")),
        plugged("PCSC reader and polkit", .failed(.noPermission, message: "pcscd refused.")),
        plugged("PCSC reader used exclusively", .failed(.busy, message: "It is in use.")),
        plugged("PCSC reader mute", .failed(.readerFailed, message: "pcscd did not answer within 5 s.")),
        elsewhere("PCSC reader on no bus", use: .free, .answered(chip: "ACS ACR1552U", after: .milliseconds(12))),
        elsewhere("PCSC reader on no bus shared", use: .shared, .answered(chip: nil, after: .milliseconds(12))),
        elsewhere("PCSC reader on no bus used exclusively", use: .exclusive, .failed(.busy, message: "It is in use.")),
    ]
}
