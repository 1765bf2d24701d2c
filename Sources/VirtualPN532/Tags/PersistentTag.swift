// A virtual tag that can be saved — Flipper `.nfc` text as its image

/// A tag whose non-volatile memory can be stored in a Flipper `.nfc` file.
///
/// The tag itself performs no input or output. Its owner watches ``VirtualTag/generation`` and saves ``flipperText``.
/// Both may be read from any thread.
public protocol PersistentTag: VirtualTag {
    /// The whole non-volatile memory, including passwords, as a Flipper `.nfc` file.
    ///
    /// ``FlipperFile/parse(_:)`` reads it.
    var flipperText: String { get }
}
