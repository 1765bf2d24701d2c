// The ways in which apps examine an NFCReaderError; each gives the code, or 0 if it does not recognise the error
// Written as for iOS: the code does not mention Linux, queues other than the app's, or concurrency annotations.
// swift-format-ignore-file: NeverForceUnwrap

#if canImport(CoreNFC)
    import CoreNFC

    enum ErrorShapes {
        static let all: [(Error) -> Int] = [
            { error in (error as! NFCReaderError).code.rawValue },
            { error in (error as? NFCReaderError)?.errorCode ?? 0 },
            { error in (error as NSError).domain == NFCErrorDomain ? (error as NSError).code : 0 },
            { error in (error as NSError).domain == NFCReaderError.errorDomain ? error._code : 0 },
            { error in
                let nfcError = error as NSError
                return NFCReaderError.Code(rawValue: nfcError.code)?.rawValue ?? 0
            },
            { error in
                guard let nfcError = error as? NFCReaderError else { return 0 }
                switch nfcError.code {
                case .readerSessionInvalidationErrorUserCanceled: return 200
                case .readerSessionInvalidationErrorSessionTimeout: return 201
                case .readerSessionInvalidationErrorSystemIsBusy: return 203
                case .readerSessionInvalidationErrorFirstNDEFTagRead: return 204
                case .readerTransceiveErrorTagConnectionLost: return 100
                default: return 0
                }
            },
            { error in
                switch error {
                case NFCReaderError.readerSessionInvalidationErrorUserCanceled: return 200
                case NFCReaderError.readerSessionInvalidationErrorSessionTimeout: return 201
                case NFCReaderError.readerSessionInvalidationErrorSystemIsBusy: return 203
                case NFCReaderError.readerSessionInvalidationErrorFirstNDEFTagRead: return 204
                case NFCReaderError.readerTransceiveErrorTagConnectionLost: return 100
                default: return 0
                }
            },
            { error in
                do {
                    throw error
                } catch NFCReaderError.readerSessionInvalidationErrorUserCanceled {
                    return 200
                } catch NFCReaderError.readerSessionInvalidationErrorSessionTimeout {
                    return 201
                } catch NFCReaderError.readerSessionInvalidationErrorSystemIsBusy {
                    return 203
                } catch let error as NFCReaderError where error.code == .readerSessionInvalidationErrorFirstNDEFTagRead
                {
                    return 204
                } catch let error as NFCReaderError
                    where error.code == NFCReaderError.readerTransceiveErrorTagConnectionLost
                {
                    return 100
                } catch {
                    return 0
                }
            },
            { error in
                switch error.localizedDescription {
                case "Session invalidated by user": return 200
                case "Session timeout": return 201
                case "System resource unavailable": return 203
                case let text where text.contains("First NDEF tag read"): return 204
                case "Tag connection lost": return 100
                default: return 0
                }
            },
            { error in
                let known: [NFCReaderError.Code: Int] = [
                    .readerSessionInvalidationErrorUserCanceled: 200,
                    .readerSessionInvalidationErrorSessionTimeout: 201,
                    .readerSessionInvalidationErrorSystemIsBusy: 203,
                    .readerSessionInvalidationErrorFirstNDEFTagRead: 204,
                    .readerTransceiveErrorTagConnectionLost: 100,
                ]
                return (error as? NFCReaderError).flatMap { known[$0.code] } ?? 0
            },
            { error in
                let nsError = error as NSError
                return (nsError as? NFCReaderError)?.code.rawValue ?? 0
            },
            { error in
                do {
                    throw error as NSError
                } catch let error as NFCReaderError {
                    return error.errorCode
                } catch {
                    return 0
                }
            },
            { error in
                guard (error as NSError).domain.lowercased() == "nfcerror" else { return 0 }
                return NFCReaderError(_nsError: error as NSError).code.rawValue
            },
            { error in (error as? NFCReaderError)?._nsError.code ?? 0 },
        ]

        /// Creates a session error as apps' tests do.
        static func made(_ code: NFCReaderError.Code) -> NFCReaderError {
            NFCReaderError(_nsError: NSError(domain: NFCErrorDomain, code: code.rawValue))
        }

        static func isWorthShowing(_ error: Error) -> Bool {
            if let err = error as? NFCReaderError, err.errorCode != 200, err.errorCode != 204 { return true }
            return false
        }

        static func text(_ error: Error) -> String {
            guard let error = error as? NFCReaderError else { return "Unknown" }
            return
                "\(type(of: error).errorDomain) \(error.code.rawValue): \(error.localizedDescription) \(error.userInfo.count)"
        }

        /// An app's own error, which wraps a CoreNFC error.
        enum AppError: LocalizedError, Equatable {
            case nfc(NFCReaderError)
            case noTag

            var errorDescription: String? {
                switch self {
                case .nfc(let error): return error.localizedDescription
                case .noTag: return "No tag"
                }
            }
        }
    }
#endif
