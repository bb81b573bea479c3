import Foundation
import LinuxSystem
import TestSupport
import Testing

/// Groups that belong to one user, and may therefore write to a folder above that user's files.
@Suite struct PrivateGroupTests {
    private typealias User = PrivateGroup.User

    private static let users = [
        User(name: "root", number: 0, group: 0), User(name: "ann", number: 1000, group: 1000),
        User(name: "ann-too", number: 1000, group: 1000), User(name: "bob", number: 1001, group: 1001),
        User(name: "eve", number: 1002, group: 100), User(name: "fay", number: 1003, group: 100),
        User(name: "gil", number: 1004, group: 1005),
    ]

    @Test(
        arguments: [
            (1000, 1000, [], true), (1000, 1000, ["ann"], true), (1000, 1000, ["ann-too", "root"], true),
            // The group has another member, or one that the list does not know.
            (1000, 1000, ["bob"], false), (1000, 1000, ["ann", "bob"], false), (1000, 1000, ["gone"], false),
            // It is another user's primary group, or that of no user.
            (1000, 1001, [], false), (1001, 1000, ["ann"], false), (2000, 1000, ["ann"], false),
            // It is the primary group of several users.
            (100, 1002, [], false), (100, 1003, ["fay"], false),
            // A group with the user's name may have another number.
            (1005, 1004, [], true), (1004, 1004, [], false), (0, 0, [], true), (0, 0, ["bob"], false),
            // A user who is not on the list has no private group.
            (3000, 3000, [], false), (1000, 3000, [], false),
        ] as [(UInt32, UInt32, [String], Bool)])
    func aPrivateGroupHoldsItsUserAlone(_ group: UInt32, _ user: UInt32, _ members: [String], _ isPrivate: Bool) {
        let name = Self.users.first { $0.group == group }?.name ?? "group"
        #expect(PrivateGroup.holds(group, named: name, of: user, among: Self.users, members: members) == isPrivate)
    }

    /// A directory service may leave colleagues who share a group off the list, so that their group seems to have one
    /// member.
    @Test func aSharedGroupIsNotPrivateThoughNobodyElseIsListed() {
        let users = [User(name: "root", number: 0, group: 0), User(name: "ann", number: 1000, group: 513)]
        #expect(!PrivateGroup.holds(513, named: "domain users", of: 1000, among: users, members: []))
        #expect(PrivateGroup.holds(513, named: "ann", of: 1000, among: users, members: []))
    }

    /// Compares with the lists of this machine, read in another way.
    @Test func theListsOfThisMachineAreReadToTheEnd() throws {
        let script = """
            import grp, os, pwd
            me = os.geteuid()
            mine = [user for user in pwd.getpwall() if user.pw_uid == me]
            names = {user.pw_name for user in pwd.getpwall() if user.pw_uid in (me, 0)}
            for group in [os.getegid()] + [entry.gr_gid for entry in grp.getgrall()]:
                others = [user for user in pwd.getpwall() if user.pw_gid == group and user.pw_uid not in (me, 0)]
                try:
                    name, members = grp.getgrgid(group).gr_name, set(grp.getgrgid(group).gr_mem)
                except KeyError:
                    name, members = None, {"?"}
                own = any(user.pw_gid == group and (group == me or user.pw_name == name) for user in mine)
                print(group, own and not others and members <= names)
            """
        let process = Process()
        let output = Foundation.Pipe()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = said.split(separator: "\n").map { $0.split(separator: " ") }
        try #require(!lines.isEmpty)
        let folder = try TemporaryFolder()
        let inner = folder.path("inner")
        for words in lines {
            let group = try #require(gid_t(words[0]))
            // Only root can give a folder to any group.
            guard chown(folder.url.path, uid_t.max, group) == 0 else { continue }
            #expect(chmod(folder.url.path, 0o770) == 0)
            let expected = words[1] == "True" ? nil : folder.url.path
            #expect(try PathTrust.openParent(of: inner) == expected, "group \(group)")
        }
    }

    /// A file that a group may write to is never trusted itself, not even if the group has one member.
    @Test func whatIsBelievedIsWrittenByNoGroup() throws {
        let folder = try TemporaryFolder()
        let file = folder.path("service")
        try Data().write(to: URL(filePath: file))
        for mode in [0o660, 0o620, 0o602] as [mode_t] {
            #expect(chmod(file, mode) == 0)
            #expect(throws: PathTrust.TrustError.mode(UInt32(mode))) { try PathTrust.require(file, .file) }
        }
        #expect(chmod(file, 0o600) == 0)
        try PathTrust.require(file, .file)
        #expect(chmod(folder.url.path, 0o770) == 0)
        #expect(throws: PathTrust.TrustError.mode(0o770)) { try PathTrust.require(folder.url.path, .folder) }
    }

    @Test func foldersThatAreStillMissingAreJudgedByTheOneThatIsThere() throws {
        let folder = try TemporaryFolder()
        let new = folder.path("some/where/vault")
        #expect(try PathTrust.openParent(ofNew: new) == nil)
        #expect(chmod(folder.url.path, 0o777) == 0)
        #expect(try PathTrust.openParent(ofNew: new) == folder.url.path)
        // A symbolic link counts as its target.
        let other = try TemporaryFolder()
        let link = other.path("link")
        #expect(symlink(folder.url.path, link) == 0)
        #expect(try PathTrust.openParent(ofNew: link + "/vault") == folder.url.path)
        #expect(throws: PathTrust.TrustError.relative) { try PathTrust.openParent(ofNew: "vault") }
    }
}
