public import Foundation
public import Testing

/// The rights of the user who runs the tests, and users with fewer rights.
public enum Privileges: Sendable {
    /// True if root runs the tests.
    public static let isRoot = geteuid() == 0

    /// True if root runs the tests and may mount file systems, which root in a container may not.
    public static let mayMount: Bool = {
        guard isRoot, let folder = try? TemporaryFolder() else { return false }
        func run(_ words: String...) -> Bool {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = words
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }
        guard run("mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", folder.url.path) else { return false }
        return run("umount", folder.url.path)
    }()

    /// A user without an account. Root becomes this user in a child process to see what an ordinary user sees.
    public static let ordinaryUser: uid_t = 61_801
    /// Another user without an account.
    public static let otherUser: uid_t = 61_802

    /// Returns the words before a command that run it as `user`; none if an ordinary user runs the tests.
    public static func words(as user: uid_t = ordinaryUser) -> [String] {
        isRoot ? ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : []
    }

    /// Gives everything in `folder` to `user`, if root runs the tests.
    public static func give(_ folder: URL, to user: uid_t = ordinaryUser) throws {
        guard isRoot else { return }
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in [folder.path] + files.map({ folder.appending(path: $0).path }) {
            guard lchown(path, user, user) == 0 else { throw POSIXError(.EPERM) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Enables a test only for root.
    public static var needsRoot: Self { .enabled(if: Privileges.isRoot, "skipped: needs root") }

    /// Enables a test only for an ordinary user. If root runs the tests, `make test-user` runs this one as an ordinary
    /// user.
    public static var needsOrdinaryUser: Self {
        .enabled(if: !Privileges.isRoot, "skipped: needs an ordinary user (make test-user)")
    }

    /// Enables a test only for root who may mount file systems.
    public static var needsMounting: Self {
        .enabled(if: Privileges.mayMount, "skipped: needs root that may mount")
    }
}
