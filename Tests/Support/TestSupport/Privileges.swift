public import Foundation
public import Testing

/// What the user who runs the tests may do, and a user who may do less.
public enum Privileges: Sendable {
    /// Whether that is root.
    public static let isRoot = geteuid() == 0

    /// True if it is root who may mount file systems, which root in a container may not.
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

    /// A user of no account, whom root becomes in a child to see what an ordinary user sees.
    public static let ordinaryUser: uid_t = 61_801
    /// Another one.
    public static let otherUser: uid_t = 61_802

    /// The words that a command begins with to run as `user`; none where the tests are an ordinary user's anyway.
    public static func words(as user: uid_t = ordinaryUser) -> [String] {
        isRoot ? ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : []
    }

    /// Gives everything in `folder` to a user whom the tests become in a child, if they do.
    public static func give(_ folder: URL, to user: uid_t = ordinaryUser) throws {
        guard isRoot else { return }
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for path in [folder.path] + files.map({ folder.appending(path: $0).path }) {
            guard lchown(path, user, user) == 0 else { throw POSIXError(.EPERM) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Only root can see this.
    public static var needsRoot: Self { .enabled(if: Privileges.isRoot, "skipped: needs root") }

    /// Root does not meet this. Where root runs the tests, `make test-user` runs it as an ordinary user.
    public static var needsOrdinaryUser: Self {
        .enabled(if: !Privileges.isRoot, "skipped: needs an ordinary user (make test-user)")
    }

    /// Only root who may mount can see this.
    public static var needsMounting: Self {
        .enabled(if: Privileges.mayMount, "skipped: needs root that may mount")
    }
}
