// What kind of failure an error of an embedded reader is

#if Virtual
    public import ReaderInterface
    package import VirtualPCSC
    public import VirtualPN532

    extension PCSCDaemonError: ClassifiedError {
        /// What kind of thing went wrong.
        package var kind: FailureKind { .noReader }
    }

    extension VirtualReaderError: ClassifiedError {
        /// What kind of thing went wrong.
        public var kind: FailureKind {
            switch self {
            case .notAKind, .notAnOption, .badValue, .noFileFormat, .withoutEffect, .fileNamedTwice: .usage
            case .fileInaccessible, .badFile, .fileNotText, .badDump, .noSocket: .badFile
            case .fileInUse: .readerBusy
            case .noPseudoTerminal, .noThread, .noAntenna: .noReader
            }
        }
    }
#endif
