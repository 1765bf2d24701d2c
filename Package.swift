// swift-tools-version: 6.2
import Foundation
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The checks of Swift 6 for a module that clients see as a Swift 5 module, like Apple's.
///
/// For a Swift 6 module, the compiler reports problems that it ignores for Apple's: tags that a client with
/// `@preconcurrency import CoreNFC` passes from one isolation to another.
let strictAsApples: [SwiftSetting] =
    strict + [.swiftLanguageMode(.v5)]
    + [
        "StrictConcurrency", "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain",
        "DisableOutwardActorInference", "DynamicActorIsolation", "ForwardTrailingClosures",
        "GlobalActorIsolatedTypesUsability", "GlobalConcurrency", "ImplicitOpenExistentials",
        "InferSendableFromCaptures", "IsolatedDefaultValues", "RegionBasedIsolation",
    ].map { .enableUpcomingFeature($0) }

let package = Package(
    name: "nfctool",
    products: [
        .library(name: "CoreNFC", targets: ["CoreNFC"]),
        .library(name: "NDEF", targets: ["NDEF"]),
        .library(name: "Provisioning", targets: ["Provisioning"]),
        .library(name: "ReaderInterface", targets: ["ReaderInterface"]),
        .library(name: "ReaderSession", targets: ["ReaderSession"]),
        .library(name: "SafeTag", targets: ["SafeTag"]),
        .library(name: "SecureDynamicMessaging", targets: ["SecureDynamicMessaging"]),
        .library(name: "TagImage", targets: ["TagImage"]),
        .library(name: "TagTypes", targets: ["TagTypes"]),
        .library(name: "VirtualPN532", targets: ["VirtualPN532"]),
        .library(name: "nfctool-ifd", type: .dynamic, targets: ["IFDHandler"]),
        .library(name: "WriteJournal", targets: ["WriteJournal"]),
        .executable(name: "nfctool", targets: ["nfctool"]),
    ],
    traits: [
        .trait(name: "Virtual", description: "Readers and tags that are simulated in the program: virtual:KIND."),
        .default(enabledTraits: ["Virtual"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        .systemLibrary(name: "Clibnfc", pkgConfig: "libnfc", providers: [.apt(["libnfc-dev"])]),
        .systemLibrary(name: "Cuinput"),
        .systemLibrary(name: "Cusbfs"),
        .target(name: "Cepoll"),
        .target(name: "Cstderr"),
        // Only Scripts/package names the commit, so other builds do not recompile this for each commit.
        .target(
            name: "Cbuild", cSettings: [.define("NFCTOOL_COMMIT", to: Context.environment["NFCTOOL_COMMIT"] ?? "")]),
        .systemLibrary(name: "Clibpcsclite", pkgConfig: "libpcsclite", providers: [.apt(["libpcsclite-dev"])]),
        // These two are loaded when they are needed; their headers come with libssl-dev and libpq-dev.
        .target(name: "Clibcrypto", linkerSettings: [.linkedLibrary("dl")]),
        .target(name: "Clibpq", linkerSettings: [.linkedLibrary("dl")]),
        .systemLibrary(name: "Clibusb", pkgConfig: "libusb-1.0", providers: [.apt(["libusb-1.0-0-dev"])]),
        .target(name: "Hexadecimal", swiftSettings: strict),
        .target(name: "TextBytes", swiftSettings: strict),
        .target(name: "SpreadsheetText", dependencies: ["TextBytes"], swiftSettings: strict),
        .target(
            name: "DurableFiles",
            dependencies: ["Clibcrypto", "Hexadecimal", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: strict),
        .target(
            name: "Terminal",
            dependencies: [
                "Hexadecimal", .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(name: "NDEF", swiftSettings: strict),
        .target(name: "Chips", swiftSettings: strict),
        .target(
            name: "RecordPresentation", dependencies: ["Composing", "Hexadecimal", "NDEF", "Terminal"],
            swiftSettings: strict),
        .target(name: "PhoneLint", dependencies: ["Chips", "Hexadecimal", "NDEF"], swiftSettings: strict),
        .target(name: "ReaderInterface", dependencies: ["Hexadecimal"], swiftSettings: strict),
        .target(name: "USBReaders", dependencies: ["Clibusb", "Hexadecimal"], swiftSettings: strict),
        .target(
            name: "Doctor",
            dependencies: [
                "Hexadecimal", "ReaderInterface", "ReaderSession", "Terminal", "TextBytes", "USBReaders",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "DoctorPresentation", dependencies: ["Doctor", "ReaderInterface", "Terminal"], swiftSettings: strict),
        .target(name: "TagImage", dependencies: ["Chips", "Hexadecimal"], swiftSettings: strict),
        .target(
            name: "TagTypes", dependencies: ["Chips", "Clibcrypto", "Hexadecimal", "ReaderInterface"],
            swiftSettings: strict),
        .target(
            name: "LibNFC",
            dependencies: [
                "Clibnfc", "Cstderr", "Cusbfs", "Hexadecimal", "ReaderInterface", "USBReaders",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "PCSCReaders",
            dependencies: [
                "Clibpcsclite", "ReaderInterface", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(name: "ReaderProcess", dependencies: ["ReaderInterface"], swiftSettings: strict),
        .target(
            name: "ReaderSession",
            dependencies: [
                "Hexadecimal", "LibNFC", "PCSCReaders", "ReaderInterface", "ReaderProcess", "TagTypes", "USBReaders",
                .target(name: "VirtualPCSC", condition: .when(traits: ["Virtual"])),
                .target(name: "Chips", condition: .when(traits: ["Virtual"])),
                .target(name: "TagImage", condition: .when(traits: ["Virtual"])),
                .target(name: "VirtualPN532", condition: .when(traits: ["Virtual"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "CoreNFC",
            dependencies: ["Hexadecimal", "NDEF", "ReaderInterface", "ReaderSession", "TagTypes", "USBReaders"],
            // Objective-C's importer turns a completion handler into an `async` form that stays on its caller's actor.
            swiftSettings: strictAsApples + [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        .target(
            name: "WriteJournal",
            dependencies: [
                "DurableFiles", "Hexadecimal", "ReaderInterface", "TagTypes",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(name: "Composing", dependencies: ["Hexadecimal", "NDEF", "TagTypes"], swiftSettings: strict),
        .target(
            name: "Provisioning",
            dependencies: [
                "Chips", "Composing", "DurableFiles", "Hexadecimal", "NDEF", "PhoneLint", "ReaderInterface",
                "ReaderSession", "SafeTag", "SecureDynamicMessaging", "SpreadsheetText", "TagTypes", "TextBytes",
                "WriteJournal",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "PostgreSQLJournal", dependencies: ["Clibpq", "Hexadecimal", "Provisioning", "TextBytes"],
            swiftSettings: strict),
        .target(name: "PlanBoard", dependencies: ["Provisioning", "Terminal"], swiftSettings: strict),
        .target(
            name: "MemoryPresentation",
            dependencies: [
                "Hexadecimal", "ReaderInterface", "SafeTag", "SecureDynamicMessaging", "TagImage", "TagTypes",
                "Terminal",
            ],
            swiftSettings: strict),
        .target(
            name: "ProvisionPresentation",
            dependencies: [
                "Doctor", "Hexadecimal", "MemoryPresentation", "NDEF", "PhoneLint", "Provisioning", "ReaderInterface",
                "RecordPresentation", "Terminal",
                "USBReaders",
            ],
            swiftSettings: strict),
        .target(name: "SecureDynamicMessaging", dependencies: ["Clibcrypto"], swiftSettings: strict),
        .target(
            name: "NTAG424DNA", dependencies: ["ReaderInterface", "SecureDynamicMessaging", "TagTypes"],
            swiftSettings: strict),
        .target(
            name: "TagRules",
            dependencies: [
                "Composing", "NDEF", "PhoneLint", "ReaderInterface",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(
            name: "TagFeed",
            dependencies: [
                "Cuinput", "DurableFiles", "NDEF", "SafeTag", "SpreadsheetText", "TagRules", "TagTypes", "Terminal",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .target(name: "VirtualPN532", dependencies: ["Cepoll", "Clibcrypto"], swiftSettings: strict),
        // Loaded by pcscd.
        .target(name: "IFDHandler", dependencies: ["Clibpcsclite"]),
        .target(name: "VirtualPCSC", dependencies: ["VirtualPN532"], swiftSettings: strict),
        .target(
            name: "SafeTag",
            dependencies: [
                "Chips", "Composing", "Hexadecimal", "NDEF", "NTAG424DNA", "PhoneLint", "ReaderInterface",
                "ReaderSession", "SecureDynamicMessaging", "TagImage", "TagTypes", "WriteJournal",
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "nfctool",
            dependencies: [
                "Cbuild", "Chips", "Composing", "Doctor", "DoctorPresentation", "DurableFiles", "Hexadecimal", "NDEF",
                "ReaderInterface",
                "PhoneLint", "MemoryPresentation", "PlanBoard", "PostgreSQLJournal", "ProvisionPresentation",
                "Provisioning", "ReaderProcess",
                "ReaderSession", "RecordPresentation", "SafeTag",
                "SecureDynamicMessaging", "TagFeed", "TagImage", "TagRules", "TagTypes", "Terminal", "USBReaders",
                "VirtualPCSC", "VirtualPN532", "WriteJournal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "MessageReader", dependencies: ["CoreNFC"], path: "Docs/Examples/MessageReader", swiftSettings: strict
        ),
        .executableTarget(
            name: "RecordPrinter", dependencies: ["CoreNFC"], path: "Docs/Examples/RecordPrinter", swiftSettings: strict
        ),
        .executableTarget(
            name: "Kiosk", dependencies: ["CoreNFC"], path: "Docs/Examples/Kiosk", swiftSettings: strict),
        .executableTarget(
            name: "TagReader", dependencies: ["CoreNFC"], path: "Docs/Examples/TagReader", swiftSettings: strict),
        // Programs in other packages see only public declarations.
        .executableTarget(
            name: "SafeWriter", dependencies: ["NDEF", "SafeTag"], path: "Docs/Examples/SafeWriter",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "BatchEncoder", dependencies: ["Provisioning", "SafeTag"], path: "Docs/Examples/BatchEncoder",
            packageAccess: false, swiftSettings: strict),
        .executableTarget(
            name: "DecoderBenchmark", dependencies: ["NDEF"], path: "Tests/DecoderBenchmark", swiftSettings: strict),
        .executableTarget(
            name: "APDUBenchmark", dependencies: ["NDEF", "SafeTag", "VirtualPCSC", "VirtualPN532", "WriteJournal"],
            path: "Tests/APDUBenchmark", swiftSettings: strict),
        .executableTarget(
            name: "JournalBenchmark", dependencies: ["PostgreSQLJournal", "PostgreSQLServer", "Provisioning"],
            path: "Tests/JournalBenchmark",
            swiftSettings: strict),
        .executableTarget(
            name: "JournalChild", dependencies: ["Provisioning"], path: "Tests/JournalChild", swiftSettings: strict),
        .executableTarget(
            name: "StationChild",
            dependencies: [
                "Chance", "DurableFiles", "Hexadecimal", "PostgreSQLJournal", "Provisioning", "SimulatedTags",
            ],
            path: "Tests/StationChild", swiftSettings: strict),
        .target(name: "SimulatedTags", path: "Tests/SimulatedTags", swiftSettings: strict),
        .target(name: "Chance", path: "Tests/Chance", swiftSettings: strict),
        .target(name: "PostgreSQLServer", path: "Tests/PostgreSQLServer", swiftSettings: strict),
        .testTarget(name: "HexadecimalTests", dependencies: ["Hexadecimal"], swiftSettings: strict),
        .testTarget(
            name: "DurableFilesTests",
            dependencies: ["DurableFiles", .product(name: "SystemPackage", package: "swift-system")],
            swiftSettings: strict),
        .testTarget(
            name: "TagRulesTests", dependencies: ["NDEF", "ReaderInterface", "TagRules"], swiftSettings: strict),
        .testTarget(
            name: "TagFeedTests",
            dependencies: [
                "Cuinput", "NDEF", "ReaderInterface", "SafeTag", "SpreadsheetText", "TagFeed", "TagTypes",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: strict),
        .testTarget(name: "NDEFTests", dependencies: ["Chance", "NDEF"], swiftSettings: strict),
        .testTarget(
            name: "PhoneLintTests", dependencies: ["Chance", "Chips", "PhoneLint", "NDEF"], swiftSettings: strict),
        .testTarget(name: "USBReadersTests", dependencies: ["Chance", "USBReaders"], swiftSettings: strict),
        .target(
            name: "DoctorSituations", dependencies: ["Doctor", "ReaderInterface", "USBReaders"],
            path: "Tests/DoctorSituations",
            swiftSettings: strict),
        .testTarget(
            name: "DoctorTests",
            dependencies: ["Doctor", "DoctorSituations", "InProcessReaders", "ReaderInterface", "USBReaders"],
            swiftSettings: strict),
        .testTarget(
            name: "SecureDynamicMessagingTests", dependencies: ["SecureDynamicMessaging"], swiftSettings: strict),
        .testTarget(
            name: "NTAG424DNATests",
            dependencies: ["NTAG424DNA", "ReaderInterface", "SecureDynamicMessaging", "TagTypes"],
            swiftSettings: strict),
        .testTarget(name: "ChipsTests", dependencies: ["Chips"], swiftSettings: strict),
        .testTarget(
            name: "SafeTagTests",
            dependencies: [
                "Chance", "Chips", "Composing", "Hexadecimal", "NDEF", "ReaderInterface", "ReaderSession", "SafeTag",
                "TagImage", "TagTypes",
            ],
            swiftSettings: strict),
        .testTarget(name: "TagImageTests", dependencies: ["Chance", "Chips", "TagImage"], swiftSettings: strict),
        .testTarget(
            name: "TagTypesTests", dependencies: ["Chance", "Chips", "Hexadecimal", "TagTypes", "ReaderInterface"],
            swiftSettings: strict),
        .testTarget(
            name: "WriteJournalTests",
            dependencies: [
                "DurableFiles", "Hexadecimal", "WriteJournal", "TagTypes",
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ComposingTests", dependencies: ["Chance", "Composing", "NDEF", "TagTypes"], swiftSettings: strict),
        .testTarget(
            name: "ProvisioningTests",
            dependencies: [
                "Chance",
                "JournalChild", "Chips", "Provisioning", "Composing", "DurableFiles", "NDEF", "PhoneLint",
                "MemoryPresentation", "PostgreSQLJournal", "PostgreSQLServer", "ProvisionPresentation",
                "SecureDynamicMessaging", "TagTypes",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            exclude: ["Server/Version1.sql"],
            swiftSettings: strict),
        .testTarget(
            name: "StationCampaignTests",
            dependencies: [
                "Chance", "JournalBenchmark", "nfctool", "PostgreSQLJournal", "PostgreSQLServer", "Provisioning",
                "SimulatedTags", "StationChild", "VirtualPN532",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PlanBoardTests",
            dependencies: ["Chance", "PlanBoard", "PostgreSQLJournal", "PostgreSQLServer", "Provisioning"],
            swiftSettings: strict),
        .testTarget(name: "VirtualPN532Tests", dependencies: ["Chance", "VirtualPN532"], swiftSettings: strict),
        .executableTarget(
            name: "PCSCDaemonChild", dependencies: ["VirtualPCSC"], path: "Tests/PCSCDaemonChild",
            swiftSettings: strict),
        .testTarget(
            name: "VirtualPCSCTests",
            dependencies: ["Chance", "Clibpcsclite", "PCSCDaemonChild", "VirtualPCSC", "VirtualPN532"],
            swiftSettings: strict),
        .testTarget(
            name: "LibNFCTests",
            dependencies: ["Chance", "Clibnfc", "LibNFC", "ReaderInterface", "TagTypes", "USBReaders", "VirtualPN532"],
            swiftSettings: strict),
        .testTarget(
            name: "PCSCReadersTests",
            dependencies: [
                "Chance", "Composing", "InProcessReaders", "NDEF", "nfctool", "PCSCReaders", "ReaderInterface",
                "ReaderSession", "SafeTag", "TagImage", "TagTypes", "VirtualPCSC", "VirtualPN532", "WriteJournal",
            ],
            exclude: ["Matrix/Matrix.txt"],
            swiftSettings: strict),
        .testTarget(
            name: "ReaderProcessTests",
            dependencies: ["Chance", "nfctool", "ReaderInterface", "ReaderProcess", "RecordPrinter", "VirtualPN532"],
            swiftSettings: strict),
        .target(name: "InProcessReaders", path: "Tests/InProcessReaders"),
        .target(
            name: "VicinityReaders", dependencies: ["ReaderInterface", "ReaderSession"], path: "Tests/VicinityReaders",
            swiftSettings: strict),
        .testTarget(
            name: "ReaderSessionTests",
            dependencies: ["InProcessReaders", "ReaderInterface", "ReaderSession", "TagTypes", "VirtualPN532"],
            swiftSettings: strict),
        .testTarget(
            name: "TagChangeTests",
            dependencies: [
                "Chance", "Composing", "InProcessReaders", "NDEF", "NTAG424DNA", "Provisioning", "ReaderInterface",
                "ReaderSession", "SafeTag", "SecureDynamicMessaging", "TagImage", "TagTypes", "VicinityReaders",
                "VirtualPN532",
                "WriteJournal",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CoreNFCTests",
            dependencies: [
                "Chance", "CoreNFC", "InProcessReaders", "NDEF", "ReaderInterface", "TagTypes", "VicinityReaders",
                "VirtualPCSC", "VirtualPN532",
            ],
            swiftSettings: strict),
        .target(
            name: "SwiftSixClients", dependencies: ["CoreNFC"], path: "Tests/SwiftSixClients",
            swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]),
        .testTarget(
            name: "CoreNFCClientTests",
            dependencies: ["CoreNFC", "InProcessReaders", "SwiftSixClients", "VicinityReaders", "VirtualPN532"],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "ExamplesTests",
            dependencies: [
                "BatchEncoder", "Kiosk", "MessageReader", "RecordPrinter", "SafeWriter", "TagReader",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NFCToolTests",
            dependencies: [
                "Chance",
                "nfctool", "Chips", "Composing", "Doctor", "DoctorPresentation", "DoctorSituations", "Hexadecimal",
                "NDEF",
                "ReaderInterface",
                "ProvisionPresentation", "Provisioning", "ReaderSession", "RecordPresentation", "SafeTag", "TagImage",
                "PhoneLint", "MemoryPresentation", "PostgreSQLServer", "TagTypes",
                "Terminal",
                "USBReaders", "VirtualPCSC", "VirtualPN532", "WriteJournal",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            resources: [.copy("Golden")],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// The USB bus that tests emulate needs libumockdev-dev, which Scripts/test installs. SwiftPM caches the result of this
// file for each environment. After you install it yourself, set NFCTOOL_USB_BUS to any value, as Scripts/test does.
if FileManager.default.fileExists(atPath: "/usr/include/umockdev-1.0/umockdev.h") {
    package.products.append(
        .library(name: "USBLauncherPreload", type: .dynamic, targets: ["USBLauncherPreload"]))
    package.targets += [
        .systemLibrary(
            name: "Cumockdev", path: "Tests/Cumockdev", pkgConfig: "umockdev-1.0",
            providers: [.apt(["libumockdev-dev"])]),
        .target(name: "USBLauncherPreload", path: "Tests/USBLauncherPreload"),
        .executableTarget(name: "USBLauncher", dependencies: ["Cumockdev"], path: "Tests/USBLauncher"),
        .target(
            name: "USBBus", dependencies: ["USBLauncher", "VirtualPN532"], path: "Tests/USBBus", swiftSettings: strict),
        .testTarget(name: "USBLauncherTests", dependencies: ["USBBus", "VirtualPN532"], swiftSettings: strict),
        .testTarget(
            name: "USBToolTests", dependencies: ["nfctool", "RecordPrinter", "USBBus", "VirtualPN532"],
            swiftSettings: strict),
        .executableTarget(
            name: "ReaderProbe",
            dependencies: ["LibNFC", "ReaderInterface", .product(name: "Logging", package: "swift-log")],
            path: "Tests/ReaderProbe", swiftSettings: strict),
        .testTarget(
            name: "ReaderProbeTests", dependencies: ["nfctool", "ReaderProbe", "USBBus", "VirtualPN532"],
            swiftSettings: strict),
    ]
}

// Tests/Fuzz has two forms. Normally it is a test suite that runs each decoder on seeds and mutations of them.
// With NFCTOOL_FUZZ, it is a program that Scripts/fuzz builds and libFuzzer drives.
let decoders: [Target.Dependency] = [
    "Chips", "Composing", "DurableFiles", "Hexadecimal", "LibNFC", "NDEF", "NTAG424DNA", "PCSCReaders", "PhoneLint",
    "PlanBoard", "Provisioning", "ReaderInterface", "ReaderProcess", "ReaderSession", "RecordPresentation", "SafeTag",
    "SecureDynamicMessaging", "SpreadsheetText", "TagImage", "TagRules", "TagTypes", "USBReaders", "VirtualPCSC",
    "VirtualPN532", "WriteJournal", .product(name: "Logging", package: "swift-log"),
]
if ProcessInfo.processInfo.environment["NFCTOOL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz", dependencies: decoders, path: "Tests/Fuzz",
            exclude: ["MutatedSeedTests.swift", "decoders.dict"], swiftSettings: strict))
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzTests", dependencies: decoders + ["Chance"], path: "Tests/Fuzz",
            exclude: ["FuzzProgram.swift", "decoders.dict"], swiftSettings: strict))
}
