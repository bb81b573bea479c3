internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The user who starts a sandbox, as the command in it sees them.
struct Owner: Sendable {
    /// The name of the user.
    let name: String
    /// The folder that is the home inside, which is empty at first.
    let home: String
    /// The paths of the home folders outside: by the environment, and by the system's list of users.
    let homes: [String]

    /// Reads who runs this process.
    init() {
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var room = [CChar](repeating: 0, count: 16_384)
        let isKnown = getpwuid_r(getuid(), &entry, &room, room.count, &found) == 0 && found != nil
        let listed = isKnown ? entry.pw_dir.map { PathText.text(cString: $0) } : nil
        let known = isKnown ? entry.pw_name.map { String(cString: $0) } : nil
        name = known.flatMap { Self.isPlain($0) ? $0 : nil } ?? "user"
        homes = [SystemPath.variable("HOME"), listed].compactMap { $0 }
            .filter { $0.utf8.first == UInt8(ascii: "/") && $0 != "/" }
        home = homes.first { Self.canBeEmptied($0) } ?? "/home/user"
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
    }

    /// Returns false for a home such as /usr/sbin, which accounts of the system have and the command needs.
    private static func canBeEmptied(_ home: String) -> Bool {
        let path = Place(home)
        return ["/usr", "/etc", "/proc", "/dev", "/run/lend", "/bin", "/sbin", "/lib"]
            .allSatisfy { !path.isRelated(to: Place($0)) }
    }
}
