// The kinds of failure of embedded readers

#if Virtual
    public import ReaderInterface
    package import VirtualPCSC
    public import VirtualPN532

    extension PCSCDaemonError: ClassifiedError {
        package var kind: FailureKind { .noReader }
    }

    extension VirtualReaderError: ClassifiedError {
        /// The kind of failure.
        public var kind: FailureKind {
            switch self {
            case .notAKind, .notAnOption, .badValue, .noFileFormat, .withoutEffect, .fileNamedTwice, .otherKind: .usage
            case .fileInaccessible, .badFile, .fileNotText, .badDump, .noSocket: .badFile
            case .fileInUse: .readerBusy
            case .noPseudoTerminal, .noThread, .noAntenna: .noReader
            }
        }
    }
#endif
