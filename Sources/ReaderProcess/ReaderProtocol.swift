// The version that two programs must share in order to understand each other's requests and replies

/// The versions of this program and of its messages over the socket.
package enum ReaderProtocol {
    /// The version of nfctool and of CoreNFC, as `nfctool --version` prints it.
    package static let release = "0.2.0"
    /// The format of the messages.
    ///
    /// It is increased if the bytes of a message change while its name stays the same.
    private static let format = 2

    /// The version that both ends must share: the release, the format, and the names of all messages in order.
    package static let version =
        "\(release)/\(format)/" + (ReaderRequest.names + ReaderReply.names).joined(separator: ",")
}
