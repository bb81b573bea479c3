internal import LinuxSystem

/// A path as its parts, to see which path is below which.
struct Place: Hashable, Sendable {
    /// The parts, as bytes, because a slash and an accent after it are one character of a Swift string.
    let parts: [[UInt8]]

    init(_ path: String) {
        parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Array($0) }
    }

    /// Returns true if the other path is this one or below it.
    func holds(_ other: Place) -> Bool { other.parts.starts(with: parts) }

    /// Returns true if one of the two paths is the other one or below it.
    func isRelated(to other: Place) -> Bool { holds(other) || other.holds(self) }
}
