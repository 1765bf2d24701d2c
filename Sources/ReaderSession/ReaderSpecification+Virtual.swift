// The embedded virtual readers of programs that are built with the trait `Virtual`

import ReaderInterface
import Synchronization

#if Virtual
    import VirtualPCSC
    import VirtualPN532

    /// A virtual PC/SC reader, and the pcscd that serves it.
    private struct VirtualSmartCardReader {
        let reader: VirtualPCSCReader
        let daemon: PrivatePCSCDaemon
    }

    extension ReaderSpecification {
        /// The embedded readers of this process, by specification.
        ///
        /// Their virtual tags exist until the process ends.
        private static let virtualReaders = Mutex<[String: VirtualReader]>([:])

        /// Returns the embedded reader with this specification, and starts it on first use.
        /// - Throws: `VirtualReaderError` for an invalid specification.
        private func virtualReader() throws -> VirtualReader {
            try Self.virtualReaders.withLock { readers in
                if let reader = readers[text] { return reader }
                VirtualDumpFiles.register()
                do throws(VirtualReaderError) {
                    let reader = try VirtualReaderSpec(parsing: tags).makeReader()
                    readers[text] = reader
                    return reader
                } catch .notAKind(let word, _) {
                    throw VirtualReaderError.notAKind(word, known: VirtualPCSCSpec.kinds)
                }
            }
        }

        /// The PC/SC readers of this process for ISO 15693 tags.
        ///
        /// Each reader has its own pcscd.
        private static let smartCardReaders = Mutex<[String: VirtualSmartCardReader]>([:])

        private var tags: String { String(text.dropFirst("virtual:".count)) }

        /// Returns the virtual reader with the ISO 15693 tags of this specification, or nil if the specification names
        /// other tags.
        private func smartCardReader() throws -> VirtualSmartCardReader? {
            VirtualDumpFiles.register()
            guard VirtualPCSCSpec.namesVicinityTag(tags) else { return nil }
            return try Self.smartCardReaders.withLock { readers in
                if let reader = readers[text] { return reader }
                let reader = try VirtualPCSCSpec(parsing: tags).makeReader(model: .acr1552u)
                let started = VirtualSmartCardReader(reader: reader, daemon: try PrivatePCSCDaemon(readers: [reader]))
                // libpcsclite finds its daemon only through the environment.
                started.daemon.serveThisProcess()
                readers[text] = started
                return started
            }
        }

        /// Returns the connection string of the embedded reader with this specification.
        ///
        /// - Throws: `VirtualReaderError` for an invalid specification; `PCSCDaemonError` if pcscd is missing.
        func virtualConnection() throws -> String {
            if let smartCardReader = try smartCardReader() { return "pcsc:\(smartCardReader.reader.friendlyName)" }
            return try virtualReader().connection
        }

        /// The reason why the tag file of an embedded reader could not be saved.
        ///
        /// Nil if it was saved, and for readers that are not embedded.
        var saveError: (any Error)? {
            guard isVirtual else { return nil }
            if let smartCardReader = try? smartCardReader() { return smartCardReader.reader.saveError }
            return try? virtualReader().saveError
        }
    }
#else
    extension ReaderSpecification {
        /// Throws an error, because this program was built without embedded readers.
        func virtualConnection() throws -> String { throw ReaderError.noReader(connection: text) }

        var saveError: (any Error)? { nil }
    }
#endif
