internal import CLinux
internal import Glibc

/// The access of one other user to a file or folder, by an access control list of POSIX. Its owner can give it without root.
package enum UserAccess: Sendable {
    /// The rights of a user.
    package struct Rights: OptionSet, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let execute = Rights(rawValue: 1)
        package static let write = Rights(rawValue: 2)
        package static let read = Rights(rawValue: 4)
    }

    private static let name = "system.posix_acl_access"

    /// Gives rights to the owner and to one other user, and none to all others. Returns 0 or the system's error number: `EOPNOTSUPP` if
    /// the file system has no such lists.
    package static func give(_ rights: Rights, to user: UInt32, owner: Rights, at path: String) -> Int32 {
        // The layout is that of the kernel: a version, then entries of a tag, the rights and a number of a user or group.
        let none = UInt32.max
        let entries: [(tag: UInt16, rights: Rights, number: UInt32)] = [
            (0x01, owner, none), (0x02, rights, user), (0x04, [], none), (0x10, rights, none), (0x20, [], none),
        ]
        var list = bytes(UInt32(2))
        for entry in entries { list += bytes(entry.tag) + bytes(entry.rights.rawValue) + bytes(entry.number) }
        return path.withPath { lsetxattr($0, name, list, list.count, 0) } == 0 ? 0 : errno
    }

    /// Takes the list away, and gives rights to the owner alone. Returns 0 or the system's error number.
    package static func giveToOwnerAlone(_ rights: Rights, at path: String) -> Int32 {
        let isRemoved = path.withPath { lremovexattr($0, name) } == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
        guard isRemoved, path.withPath({ chmod($0, mode_t(rights.rawValue) << 6) }) == 0 else { return errno }
        return 0
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
