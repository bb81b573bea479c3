internal import Glibc
internal import Synchronization

/// The private group that many systems make for each user. A file that such a group may write to still belongs to that
/// user alone.
package enum PrivateGroup: Sendable {
    /// An entry in the system's list of users.
    package struct User: Sendable {
        package let name: String
        package let number: UInt32
        /// The number of the user's primary group.
        package let group: UInt32

        package init(name: String, number: UInt32, group: UInt32) {
            self.name = name
            self.number = number
            self.group = group
        }
    }

    /// Returns true if `group` is the primary group of `user`, made for that user alone, without another member.
    static func holds(_ group: UInt32, of user: UInt32) -> Bool {
        guard let (name, members) = entry(of: group) else { return false }
        return holds(group, named: name, of: user, among: users(), members: members)
    }

    /// Returns the same for these lists: all users, and the names of the group's other members.
    ///
    /// A directory service may leave users out of the list. So the group must also have the user's own name or number,
    /// which is how systems make such a group. A group shared by colleagues has neither.
    package static func holds(
        _ group: UInt32, named name: String, of user: UInt32, among users: [User], members: [String]
    ) -> Bool {
        // One user may have several names. Root can write everywhere, so root as a member means nothing.
        let harmless = users.filter { $0.number == user || $0.number == 0 }
        return harmless.contains { $0.number == user && $0.group == group && (group == user || $0.name == name) }
            && users.allSatisfy { $0.group != group || $0.number == user || $0.number == 0 }
            && members.allSatisfy { member in harmless.contains { $0.name == member } }
    }

    /// Returns the name of a group and the names of its listed members; nil if the system knows no such group.
    private static func entry(of group: UInt32) -> (name: String, members: [String])? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var room = [CChar](repeating: 0, count: 16 * 1024)
        while getgrgid_r(group, &entry, &room, room.count, &found) == ERANGE {
            guard room.count < 16 * 1024 * 1024 else { return nil }
            room = [CChar](repeating: 0, count: 2 * room.count)
        }
        guard found != nil, let name = entry.gr_name, var next = entry.gr_mem else { return nil }
        var members: [String] = []
        while let member = next.pointee {
            members.append(String(cString: member))
            next += 1
        }
        return (String(cString: name), members)
    }

    /// Only one thread at a time may read the list, because the system keeps one position in it per process.
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
