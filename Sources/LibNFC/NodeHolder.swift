// Which process has a device node open

import USBReaders

extension ReaderNode {
    /// The process that has the node open, as `name (process 4711)`, where /proc lets this user see it.
    func holder() -> String? {
        NodeHolders(of: path).visible.first.map { holder in
            "\(holder.name.isEmpty ? "a process" : holder.name) (process \(holder.process))"
        }
    }
}
