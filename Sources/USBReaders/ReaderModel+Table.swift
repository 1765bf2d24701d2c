// The readers that nfctool recognises by USB vendor and product ID
//
// Sources: for `driven`, libnfc 1.8.0, libnfc/drivers/acr122_usb.c and pn53x_usb.c (the tables "supported devices"),
// and for the kernel driver, Linux, drivers/nfc/pn533/usb.c; for `smartCardReaders` and `others`, libccid's
// readers/*.txt and supported_readers.txt, systemd's hwdb (20-usb-vendor-model), nfcpy's usb_device_map, and
// proxmark3's 77-pm3-usb-device-blacklist.rules; for `serialAdapters`, systemd's hwdb.

extension ReaderModel {
    /// All models that nfctool recognises by ID.
    public static let table: [ReaderModel] = driven + smartCardReaders + others + serialAdapters

    /// The limits for a chip command in an APDU, and for its answer.
    ///
    /// In a command, the length byte of the APDU also counts the frame identifier. In an answer, three of the 255 bytes
    /// are needed for the frame identifier and the status word.
    private static let limitsOfACR122 = FrameLimits(command: 254, answer: 252)
    /// The limits for chips with extended frames: PN53x_EXTENDED_FRAME__DATA_MAX_LEN.
    private static let limitsOfExtendedFrames = FrameLimits(command: 264, answer: 264)
    /// The limits for the PN531, which has no extended frames: PN53x_NORMAL_FRAME__DATA_MAX_LEN.
    private static let limitsOfNormalFrames = FrameLimits(command: 254, answer: 254)

    private static let driven: [ReaderModel] = [
        acr122(
            0x2200, "ACS ACR122U",
            [.smartCardInterface, .opensOncePerPlugIn, .alternateSettingTimesOut, .claimedByPN533],
            [.sound, .light]),
        acr122(0x90CC, "Touchatag", [.smartCardInterface, .sharesNumberWithContactReader], []),
        acr122(0x2214, "ACS ACR1222", [.smartCardInterface], []),
        pn53x(0x04CC, 0x0531, "Philips PN531", .pn531, [], limitsOfNormalFrames),
        pn53x(0x04CC, 0x2533, "NXP PN533", .pn533, [.claimedByPN533, .descriptorsOverwritten], limitsOfExtendedFrames),
        pn53x(
            0x04E6, 0x5591, "SCM SCL3711", .pn533, [.claimedByPN533, .descriptorsOverwritten], limitsOfExtendedFrames),
        pn53x(0x04E6, 0x5594, "SCM SCL3712", .pn533, [.untriedByLibNFC], limitsOfExtendedFrames),
        pn53x(0x054C, 0x0193, "Sony PN531", .pn531, [], limitsOfNormalFrames),
        pn53x(
            0x1FD3, 0x0608, "ASK LoGO", .pn533, [.descriptorsOverwritten], limitsOfExtendedFrames, emulatesCards: false),
        pn53x(0x054C, 0x02E1, "Sony PaSoRi RC-S330/360/370", .rcs956, [.claimedByPN533], limitsOfExtendedFrames),
    ]

    private static func acr122(
        _ product: UInt16, _ name: String, _ quirks: Set<Quirk>, _ abilities: Set<Ability>
    ) -> ReaderModel {
        ReaderModel(
            vendor: 0x072F, product: product, name: name,
            support: .driven(
                Drive(
                    driver: .acr122USB, chip: .pn532, quirks: quirks, abilities: abilities, limits: limitsOfACR122)))
    }

    private static func pn53x(
        _ vendor: UInt16, _ product: UInt16, _ name: String, _ chip: Chip, _ quirks: Set<Quirk>, _ limits: FrameLimits,
        emulatesCards: Bool = true
    ) -> ReaderModel {
        ReaderModel(
            vendor: vendor, product: product, name: name,
            support: .driven(
                Drive(
                    driver: .pn53xUSB, chip: chip, quirks: quirks, abilities: emulatesCards ? [.cardEmulation] : [],
                    limits: limits)))
    }

    /// The contactless readers that only PC/SC programs can use.
    private static let smartCardReaders: [ReaderModel] =
        smartCard(
            0x072F,
            [
                (0x2100, "ACS ACR128U"), (0x2211, "ACS ACR1261U"), (0x2215, "ACS ACR1281U"), (0x221A, "ACS ACR1251U"),
                (0x221B, "ACS ACR1251U-C"), (0x2224, "ACS ACR1281U-C1"), (0x222B, "ACS ACR1222U-C8"),
                (0x222C, "ACS ACR1283L"), (0x222E, "ACS ACR123U"), (0x223B, "ACS ACR1252U"), (0x223E, "ACS ACR1252U"),
                (0x223F, "ACS ACR1255U-J1"), (0x2242, "ACS ACR1251U"), (0x2259, "ACS ACR1252IMP"),
                (0x2303, "ACS ACR1552U"),
                (0x2308, "ACS ACR1552U"),
            ])
        + smartCard(
            0x04E6,
            [
                (0x512B, "SCM SDI011"), (0x512C, "SCM SDI011"), (0x5291, "SCM SCL010"), (0x5292, "SCM SCL011"),
                (0x5293, "SCM SCL01x"), (0x5612, "Identiv uTrust 3720 F"), (0x5613, "Identiv uTrust 3721 F"),
                (0x5710, "Identive CLOUD 2700 F"), (0x5720, "Identive CLOUD 4500 F"),
                (0x5721, "Identive CLOUD 4510 F"), (0x5724, "Identiv uTrust 4701 F"), (0x5725, "Identiv uTrust 4711 F"),
                (0x5790, "Identiv uTrust 3700 F"),
                (0x5791, "Identiv uTrust 3701 F"),
            ])
        + smartCard(
            0x076B,
            [
                (0x5022, "HID OMNIKEY 5022"), (0x5023, "HID OMNIKEY 5023"), (0x502A, "HID OMNIKEY 5025 CL"),
                (0x5121, "OMNIKEY CardMan 5121"),
                (0x5125, "OMNIKEY CardMan 5125"), (0x5127, "HID OMNIKEY 5127 CK"), (0x5321, "OMNIKEY CardMan 5321"),
                (0x5326, "HID OMNIKEY 5326 DFR"), (0x5340, "OMNIKEY CardMan 5021 CL"), (0x5412, "HID OMNIKEY 5122"),
                (0x5421, "OMNIKEY 5421"), (0x5422, "HID OMNIKEY 5422"),
                (0x5427, "HID OMNIKEY 5427 CK"), (0x6321, "OMNIKEY 6321 CLi"),
            ])
        + smartCard(
            0x1C34,
            [
                (0x7113, "SpringCard CrazyWriter"), (0x7141, "SpringCard Prox'N'Roll"), (0x8141, "SpringCard NFC'Roll"),
                (0x91B1, "SpringCard H663"), (0xA1A1, "SpringCard H512"),
            ])
        + smartCard(
            0x054C,
            [
                (0x0D8F, "Sony FeliCa RC-S660/U"), (0x0DC8, "Sony PaSoRi RC-S300/S"), (0x0DC9, "Sony PaSoRi RC-S300/P"),
            ])
        + smartCard(0x1FC9, [(0x0107, "NXP Pegoda 2 N"), (0x010B, "NXP PR533")])
        + smartCard(0x09D8, [(0x0427, "Elatec TWN4")])
        + smartCard(0x1DB2, [(0x088B, "DUALi DRAGON NFC")])
        + smartCard(0x08E6, [(0x5503, "Gemalto Prox Dual USB"), (0x5504, "Gemalto Prox SU USB")])

    private static func smartCard(_ vendor: UInt16, _ products: [(UInt16, String)]) -> [ReaderModel] {
        products.map {
            ReaderModel(vendor: vendor, product: $0.0, name: $0.1, support: .undriven(.smartCardReaderOnly))
        }
    }

    private static let others: [ReaderModel] = [
        // In libnfc's table, the SCL3712 has the product ID 5594; in nfcpy's, it has 5593.
        ReaderModel(vendor: 0x04E6, product: 0x5593, name: "SCM SCL3712", support: .undriven(.unknownProductNumber)),
        ReaderModel(vendor: 0x054C, product: 0x006C, name: "Sony PaSoRi RC-S310", support: .undriven(.ownProtocol)),
        ReaderModel(vendor: 0x054C, product: 0x01BB, name: "Sony PaSoRi RC-S320", support: .undriven(.ownProtocol)),
        ReaderModel(vendor: 0x054C, product: 0x06C1, name: "Sony PaSoRi RC-S380", support: .undriven(.port100)),
        ReaderModel(vendor: 0x054C, product: 0x06C3, name: "Sony PaSoRi RC-S380", support: .undriven(.port100)),
        ReaderModel(vendor: 0x0AB1, product: 0x0002, name: "FEIG OBID", support: .undriven(.type5Reader)),
        ReaderModel(vendor: 0x9AC4, product: 0x4B8F, name: "Proxmark3", support: .undriven(.proxmark)),
        ReaderModel(vendor: 0x2D2D, product: 0x504D, name: "Proxmark3", support: .undriven(.proxmark)),
        ReaderModel(vendor: 0x502D, product: 0x502D, name: "Proxmark3", support: .undriven(.proxmark)),
    ]

    /// The adapters to which PN532 boards are usually connected.
    ///
    /// All other adapters are recognised by their serial ports.
    private static let serialAdapters: [ReaderModel] =
        adapters(0x10C4, [(0xEA60, "CP210x"), (0xEA61, "CP210x"), (0xEA63, "CP210x"), (0xEA70, "CP2105")])
        + adapters(0x1A86, [(0x5523, "CH341"), (0x7522, "CH340"), (0x7523, "CH340")])
        + adapters(0x0403, [(0x6001, "FT232"), (0x6010, "FT2232"), (0x6011, "FT4232H"), (0x6014, "FT232H")])
        + adapters(0x067B, [(0x2303, "PL2303")])

    private static func adapters(_ vendor: UInt16, _ products: [(UInt16, String)]) -> [ReaderModel] {
        products.map { ReaderModel(vendor: vendor, product: $0.0, name: $0.1, support: .serialAdapter) }
    }
}
