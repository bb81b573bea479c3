public import Foundation
internal import Glibc
internal import LinuxSystem
internal import SealedFiles
internal import Synchronization

// The functions of FileHandle. A handle stays usable after a lock as its class allows: one of class A fails, one of class
// B can be used on.

extension ProtectedData {
    /// The directions in which a handle is used.
    public enum HandleUse: Hashable, Sendable {
        /// Reading, as `FileHandle(forReadingFrom:)`.
        case reading
        /// Writing, as `FileHandle(forWritingTo:)`.
        case writing
        /// Both, as `FileHandle(forUpdating:)`.
        case updating
    }

    /// Opens the file at `url` and returns a descriptor for a new handle, which has to close it.
    ///
    /// - Throws: `CocoaError.fileReadNoPermission` or `CocoaError.fileWriteNoPermission` if the class denies the access
    ///   now.
    public static func descriptor(of url: URL, for use: HandleUse) throws -> Int32 {
        if let place = Place(url), place.isSealed {
            return try ProtectedHandles.open(place, reads: use != .writing, writes: use != .reading)
        }
        guard url.isFileURL else {
            throw CocoaError(use == .reading ? .fileReadUnsupportedScheme : .fileWriteUnsupportedScheme)
        }
        let flags =
            switch use {
            case .reading: O_RDONLY
            case .writing: O_WRONLY
            case .updating: O_RDWR
            }
        let descriptor = LinuxSystem.open(url.path, flags | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CocoaError(.system(url.path, errno), at: url, isWrite: use != .reading)
        }
        return descriptor
    }

    /// Returns up to `count` bytes, as `FileHandle.read(upToCount:)` does; nil at the end of the file.
    ///
    /// - Throws: The errors of ``read(contentsOf:options:)``.
    public static func read(from handle: FileHandle, upToCount count: Int) throws -> Data? {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.read(upToCount: count) }
        let data = try entry.read(count)
        return data.isEmpty && count > 0 ? nil : data
    }

    /// Returns the rest of the content, as `FileHandle.readToEnd()` does; nil at the end of the file.
    ///
    /// - Throws: The errors of ``read(contentsOf:options:)``.
    public static func readToEnd(from handle: FileHandle) throws -> Data? {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.readToEnd() }
        let data = try entry.read(.max)
        return data.isEmpty ? nil : data
    }

    /// Writes `data` at the position of a handle, as `FileHandle.write(contentsOf:)` does.
    ///
    /// - Throws: The errors of ``write(_:to:options:)``.
    public static func write(contentsOf data: some DataProtocol, to handle: FileHandle) throws {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.write(contentsOf: data) }
        try entry.write(Array(data))
    }

    /// Returns the position of a handle, as `FileHandle.offset()` does.
    ///
    /// - Throws: The errors of Foundation.
    public static func offset(of handle: FileHandle) throws -> UInt64 {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.offset() }
        return UInt64(entry.position.withLock { $0 })
    }

    /// Moves a handle to the end of its file, and returns that position, as `FileHandle.seekToEnd()` does.
    ///
    /// - Throws: The errors of ``read(contentsOf:options:)``.
    @discardableResult
    public static func seekToEnd(of handle: FileHandle) throws -> UInt64 {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.seekToEnd() }
        return UInt64(try entry.seekToEnd())
    }

    /// Moves a handle to this position, as `FileHandle.seek(toOffset:)` does.
    ///
    /// - Throws: The errors of Foundation.
    public static func seek(_ handle: FileHandle, to offset: UInt64) throws {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.seek(toOffset: offset) }
        entry.position.withLock { $0 = Int(clamping: offset) }
    }

    /// Cuts the file of a handle, as `FileHandle.truncate(atOffset:)` does.
    ///
    /// - Throws: The errors of ``write(_:to:options:)``.
    public static func truncate(_ handle: FileHandle, at offset: UInt64) throws {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.truncate(atOffset: offset) }
        try entry.truncate(at: Int(clamping: offset))
    }

    /// Waits until the content is on the disk, as `FileHandle.synchronize()` does.
    ///
    /// - Throws: The errors of Foundation.
    public static func synchronize(_ handle: FileHandle) throws {
        guard let entry = ProtectedHandles.entry(of: handle) else { return try handle.synchronize() }
        try entry.synchronize()
    }

    /// Closes a handle, as `FileHandle.close()` does.
    ///
    /// - Throws: The errors of Foundation.
    public static func close(_ handle: FileHandle) throws {
        if ProtectedHandles.entry(of: handle) != nil { ProtectedHandles.remove(handle) }
        try handle.close()
    }

    /// Returns the data that a handle can read at once, as `FileHandle.availableData` does. Of a sealed file, that is the
    /// rest of its content.
    public static func availableData(of handle: FileHandle) -> Data {
        guard let entry = ProtectedHandles.entry(of: handle) else { return handle.availableData }
        return endingOnError { try entry.read(.max) }
    }

    /// Returns what `body` does. An error ends the program, as the exception of a method of `FileHandle` that cannot throw
    /// does on Apple's platforms.
    public static func endingOnError<Value>(_ body: () throws -> Value) -> Value {
        do { return try body() } catch { fatalError("NSFileHandleOperationException: \(error)") }
    }
}
