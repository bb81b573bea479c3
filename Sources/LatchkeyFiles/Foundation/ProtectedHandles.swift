internal import Foundation
internal import Glibc
internal import LinuxSystem
internal import SealedFiles
internal import Synchronization

/// The sealed files behind instances of `FileHandle`.
///
/// Linux has no data that belongs to an object of another module. So a handle has a descriptor of its sealed file, and
/// its number leads to the open file here. A handle that goes away closes its descriptor and does not say so. Its entry
/// is found by then to be of another file, or of none, and is removed.
enum ProtectedHandles {
    /// An open sealed file with a position.
    final class Entry: Sendable {
        let file: ProtectedFile
        let url: URL
        let reads: Bool
        let writes: Bool
        let position = Mutex(0)
        fileprivate let identity: Identity

        fileprivate init(_ file: ProtectedFile, _ url: URL, reads: Bool, writes: Bool, _ identity: Identity) {
            self.file = file
            self.url = url
            self.reads = reads
            self.writes = writes
            self.identity = identity
        }
    }

    /// The numbers by which the system knows a file.
    fileprivate struct Identity: Hashable, Sendable {
        let device: UInt
        let file: UInt

        /// Creates the identity of an open file; nil if the descriptor is closed.
        init?(_ descriptor: Int32) {
            var status = stat()
            guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return nil }
            device = UInt(status.st_dev)
            file = UInt(status.st_ino)
        }
    }

    private static let entries = Mutex<[Int32: Entry]>([:])

    /// Opens a sealed file and returns a descriptor for a handle, which owns it.
    static func open(_ place: Place, reads: Bool, writes: Bool) throws -> Int32 {
        let file = try place.opening(isWrite: writes) { (place) throws(FileError) in
            let file = try place.folder.open(place.path)
            if writes, !file.mayWrite { throw .system(place.path, EACCES) }
            return file
        }
        let descriptor = LinuxSystem.open(place.path, O_RDONLY | O_CLOEXEC)
        let number = errno
        guard let identity = Identity(descriptor) else {
            throw CocoaError(.system(place.path, number), at: place.url, isWrite: writes)
        }
        let entry = Entry(file, place.url, reads: reads, writes: writes, identity)
        entries.withLock { entries in
            entries = entries.filter { Identity($0.key) == $0.value.identity }
            entries[descriptor] = entry
        }
        return descriptor
    }

    /// The open file of a handle; nil if the handle is not of a sealed file.
    static func entry(of handle: FileHandle) -> Entry? {
        // A closed handle has no number.
        let descriptor = handle.fileDescriptor
        guard let entry = entries.withLock({ $0[descriptor] }) else { return nil }
        return Identity(descriptor) == entry.identity ? entry : nil
    }

    /// Forgets the open file of a handle that is closed.
    static func remove(_ handle: FileHandle) {
        let descriptor = handle.fileDescriptor
        entries.withLock { $0.removeValue(forKey: descriptor) }?.file.close()
    }
}

extension ProtectedHandles.Entry {
    /// Returns up to `count` bytes from the position, and moves it behind them.
    func read(_ count: Int) throws -> Data {
        try position.withLock { position in
            let bytes = try inFoundation(isWrite: false, reads, file.read(count, at: position))
            position += bytes.count
            return Data(bytes)
        }
    }

    /// Writes at the position, and moves it behind the bytes.
    func write(_ bytes: [UInt8]) throws {
        try position.withLock { position in
            try inFoundation(isWrite: true, writes, file.write(bytes, at: position))
            position += bytes.count
        }
    }

    /// Moves the position behind the content, and returns it.
    func seekToEnd() throws -> Int {
        // Moving the position needs no key. The next read or write does.
        let size = try inFoundation(isWrite: false, true, file.plainSize)
        position.withLock { $0 = size }
        return size
    }

    /// Cuts the content at this offset, and moves the position there.
    func truncate(at offset: Int) throws {
        try inFoundation(isWrite: true, writes, file.truncate(to: offset))
        position.withLock { $0 = offset }
    }

    func synchronize() throws {
        try inFoundation(isWrite: true, true, file.synchronize())
    }

    private func inFoundation<Value>(
        isWrite: Bool, _ isAllowed: Bool, _ body: @autoclosure () throws(FileError) -> Value
    ) throws -> Value {
        do throws(FileError) {
            // A handle that was opened the other way has no right to this.
            if !isAllowed { throw .system(file.path, EBADF) }
            return try body()
        } catch {
            throw CocoaError(error, at: url, isWrite: isWrite)
        }
    }
}

extension Place {
    fileprivate func opening<Value>(isWrite: Bool, _ body: (Place) throws(FileError) -> Value) throws -> Value {
        isWrite ? try writing(body) : try reading(body)
    }
}
