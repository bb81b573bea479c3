import Foundation
import TestSupport

/// Somebody who is not root, for tests that root runs: what root may do proves nothing.
enum OtherUser {
    /// What a Python program prints that is run as this user.
    static func python(_ program: String, _ arguments: [String], as user: uid_t) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = Privileges.words(as: user) + ["/usr/bin/python3", "-c", program] + arguments
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
