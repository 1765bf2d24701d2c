// Whether two programs understand each other's requests and replies

/// The version of this program, and of what it sends over the socket.
package enum ReaderProtocol {
    /// The version of nfctool and of CoreNFC, as `nfctool --version` prints it.
    package static let release = "0.2.0"
    /// Raised when the bytes of a message change while its name stays.
    private static let format = 2

    /// What both ends must have in common: the release, the format, and the names of all messages in their order.
    package static let version =
        "\(release)/\(format)/" + (ReaderRequest.names + ReaderReply.names).joined(separator: ",")
}
