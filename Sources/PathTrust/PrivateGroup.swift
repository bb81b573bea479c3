internal import Glibc
internal import Synchronization

/// The group that many systems make for each user, so that a file whose group may write to it is still theirs alone.
package enum PrivateGroup: Sendable {
    /// An entry in the system's list of users.
    package struct User: Sendable {
        let name: String
        let number: UInt32
        let group: UInt32

        package init(name: String, number: UInt32, group: UInt32) {
            self.name = name
            self.number = number
            self.group = group
        }
    }

    /// Returns whether `group` is the primary group of `user`, and nobody else is in it.
    static func holds(_ group: UInt32, of user: UInt32) -> Bool {
        guard let members = members(of: group) else { return false }
        return holds(group, of: user, among: users(), members: members)
    }

    /// Returns the same by these lists: all users, and the names of those who were put into the group besides.
    package static func holds(_ group: UInt32, of user: UInt32, among users: [User], members: [String]) -> Bool {
        // One user may have several names. Root may write everywhere, and shows nothing.
        let harmless = users.filter { $0.number == user || $0.number == 0 }
        return harmless.contains { $0.number == user && $0.group == group }
            && users.allSatisfy { $0.group != group || $0.number == user || $0.number == 0 }
            && members.allSatisfy { member in harmless.contains { $0.name == member } }
    }

    /// The names of those who were put into a group; nil where the system knows no such group.
    private static func members(of group: UInt32) -> [String]? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var room = [CChar](repeating: 0, count: 16 * 1024)
        while getgrgid_r(group, &entry, &room, room.count, &found) == ERANGE {
            guard room.count < 16 * 1024 * 1024 else { return nil }
            room = [CChar](repeating: 0, count: 2 * room.count)
        }
        guard found != nil, var next = entry.gr_mem else { return nil }
        var members: [String] = []
        while let name = next.pointee {
            members.append(String(cString: name))
            next += 1
        }
        return members
    }

    /// The list is gone through by one at a time.
    private static let list = Mutex(())

    private static func users() -> [User] {
        list.withLock { _ in
            var users: [User] = []
            setpwent()
            while let entry = getpwent() {
                let user = entry.pointee
                users.append(User(name: String(cString: user.pw_name), number: user.pw_uid, group: user.pw_gid))
            }
            endpwent()
            return users
        }
    }
}
