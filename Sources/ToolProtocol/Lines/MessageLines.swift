/// The lines of a stream of messages, such as standard input.
///
/// A line that is too long is cut one byte beyond the limit, so that the server refuses it, and memory stays bounded.
package struct MessageLines: Sendable {
    private var line: [UInt8] = []

    package init() {}

    /// Takes the next bytes of the stream. Returns the lines that are complete now, without blank ones.
    package mutating func add(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var complete: [[UInt8]] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if line.count > MessageLimits.bytes || !line.allSatisfy(Self.isBlank) { complete.append(line) }
                line.removeAll(keepingCapacity: true)
            } else if line.count <= MessageLimits.bytes {
                line.append(byte)
            }
        }
        return complete
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\r") }
}
