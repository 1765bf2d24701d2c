// The process that has a device node open

import USBReaders

extension ReaderNode {
    /// Returns the process that has the node open, as `name (process 4711)`, or nil if /proc does not show it to this
    /// user.
    func holder() -> String? {
        NodeHolders(of: path).visible.first.map { holder in
            "\(holder.name.isEmpty ? "a process" : holder.name) (process \(holder.process))"
        }
    }
}
