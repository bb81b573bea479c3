import Foundation
import TestSupport

/// A user other than root, for tests that root runs.
enum OtherUser {
    /// Runs a Python program as this user and returns its output.
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
