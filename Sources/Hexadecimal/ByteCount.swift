// A number of bytes for display

package struct ByteCount: CustomStringConvertible {
    private let count: Int

    package init(_ count: Int) { self.count = count }

    package var description: String { count == 1 ? "1 byte" : "\(count) bytes" }
}
