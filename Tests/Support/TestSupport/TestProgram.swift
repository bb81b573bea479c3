internal import Foundation

/// Programs that a test writes and then starts.
///
/// Another test of the same process can fork between the moment a file is opened for writing and the moment it is closed.
/// Its child then holds the file open for writing until it starts its own program, and the kernel refuses to start the
/// file ("Text file busy"). So a child of ours writes the program: no descriptor of it ever exists in this process.
public enum TestProgram: Sendable {
    /// The child could not write the program.
    public struct CannotWrite: Error {
        let path: String
        let status: Int32
    }

    /// Writes a program of this text to `path`, in place of what is there.
    public static func write(_ text: String, to path: String, mode: Int = 0o700) throws {
        let draft = path + ".draft-\(UUID().uuidString)"
        try Data(text.utf8).write(to: URL(filePath: draft))
        defer { try? FileManager.default.removeItem(atPath: draft) }
        try copy(draft, to: path, mode: mode)
    }

    /// Copies a program to `path`, in place of what is there.
    public static func copy(_ source: String, to path: String, mode: Int = 0o700) throws {
        let child = Process()
        child.executableURL = URL(filePath: "/usr/bin/install")
        child.arguments = ["-m", String(mode, radix: 8), "--", source, path]
        child.standardInput = FileHandle.nullDevice
        try child.run()
        child.waitUntilExit()
        guard child.terminationStatus == 0 else { throw CannotWrite(path: path, status: child.terminationStatus) }
    }
}
