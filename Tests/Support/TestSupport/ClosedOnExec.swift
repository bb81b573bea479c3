public import Foundation
internal import LinuxSystem

/// Descriptors that no child inherits, whenever another test starts one.
public enum ClosedOnExec: Sendable {
    /// A pipe. A child that inherited its writing end would keep a reader waiting for the end.
    public static func pipe() throws -> (reading: Int32, writing: Int32) {
        let pipe = try LinuxSystem.Pipe()
        return (pipe.reading, pipe.writing)
    }

    /// Opens a file. Foundation's own ways to open and to write one leave it to every child that starts meanwhile.
    public static func open(_ path: String, _ flags: Int32) throws -> FileHandle {
        let file = LinuxSystem.open(path, flags | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw SystemError.last }
        return FileHandle(fileDescriptor: file, closeOnDealloc: true)
    }

    /// Returns the text of a file; nil if it cannot be read. A child that inherited the file would keep its folder from being
    /// locked.
    public static func text(of path: String) -> String? {
        guard let content = try? open(path, O_RDONLY).readToEnd() else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    /// Writes a file.
    public static func write(_ text: String, to path: String) throws {
        try open(path, O_WRONLY | O_CREAT | O_TRUNC).write(contentsOf: Data(text.utf8))
    }
}
