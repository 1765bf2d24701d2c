// Virtual tags that can be saved as Flipper `.nfc` files

/// A tag whose non-volatile memory can be stored in a Flipper `.nfc` file.
///
/// The tag itself does not read or write files. Its owner watches ``VirtualTag/generation`` and saves ``flipperText``.
/// Both may be read from any thread.
public protocol PersistentTag: VirtualTag {
    /// The whole non-volatile memory, including passwords, as a Flipper `.nfc` file.
    ///
    /// ``FlipperFile/parse(_:)`` creates the tag again from this text.
    var flipperText: String { get }
}
