internal import Glibc

/// The system's list of users.
package enum UserName: Sendable {
    /// Returns the number of the user with this name, or of these digits; nil if there is none.
    package static func number(_ name: String) -> UInt32? {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var room = [CChar](repeating: 0, count: 16_384)
        guard getpwnam_r(name, &entry, &room, room.count, &found) == 0, found != nil else {
            return name.allSatisfy(\.isASCII) ? UInt32(name) : nil
        }
        return entry.pw_uid
    }
}
