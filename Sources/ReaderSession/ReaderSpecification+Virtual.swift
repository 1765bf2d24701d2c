// The readers that are embedded in this process, in programs that are built with the trait `Virtual`

import ReaderInterface
import Synchronization

#if Virtual
    import VirtualPN532

    extension ReaderSpecification {
        /// The embedded readers this process has started, by their specification: a virtual tag lives as long as the process.
        private static let virtualReaders = Mutex<[String: VirtualReader]>([:])

        /// The embedded reader this names, started when it is asked for the first time.
        /// - Throws: `VirtualReaderError` for a specification that is wrong.
        private func virtualReader() throws -> VirtualReader {
            try Self.virtualReaders.withLock { readers in
                if let reader = readers[text] { return reader }
                let reader = try VirtualReaderSpec(parsing: String(text.dropFirst("virtual:".count))).makeReader()
                readers[text] = reader
                return reader
            }
        }

        /// libnfc's connection string of the embedded reader this names.
        func virtualConnection() throws -> String { try virtualReader().connection }

        /// Why an embedded reader's tag file could not be saved; nil for other readers.
        var saveError: (any Error)? { isVirtual ? try? virtualReader().saveError : nil }
    }
#else
    extension ReaderSpecification {
        /// This program was built without embedded readers.
        func virtualConnection() throws -> String { throw ReaderError.noReader(connection: text) }

        var saveError: (any Error)? { nil }
    }
#endif
