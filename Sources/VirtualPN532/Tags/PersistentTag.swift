// A virtual tag that outlives its program — Flipper `.nfc` text as its image

/// A tag whose non-volatile memory can be kept in a Flipper `.nfc` file.
///
/// The tag itself does no input or output: its owner compares ``VirtualTag/generation`` and saves ``flipperText``.
/// Both may be read from any thread.
public protocol PersistentTag: VirtualTag {
    /// The whole non-volatile memory, passwords included, as a Flipper `.nfc` file; ``FlipperFile/parse(_:)`` reads it.
    var flipperText: String { get }
}
