import Foundation

/// Somebody who is not root, for tests that root runs: what root may do proves nothing.
enum OtherUser {
    /// A user that nobody is.
    static let first: uid_t = 61_801
    static let second: uid_t = 61_802

    static var isRoot: Bool { geteuid() == 0 }

    /// What starts a program as this user; nothing where the tests themselves are no root's.
    static func prefix(_ user: uid_t) -> [String] {
        isRoot ? ["setpriv", "--reuid=\(user)", "--regid=\(user)", "--clear-groups"] : []
    }

    /// What a Python program prints that is run as this user.
    static func python(_ program: String, _ arguments: [String], as user: uid_t) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = prefix(user) + ["/usr/bin/python3", "-c", program] + arguments
        process.currentDirectoryURL = URL(filePath: "/")
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}
