internal import AccessPolicy
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
internal import SodiumKit
internal import Synchronization

// The steps that every access shares, with the errors of this module.

/// Returns the number of bytes read at this offset: all of `buffer`, unless the file ends before.
func readFully(
    _ descriptor: Int32, _ path: String, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
        let count = pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(offset + done))
        if count == 0 { break }
        if count < 0 {
            if errno == EINTR { continue }
            throw .system(path, errno)
        }
        done += count
    }
    return done
}

/// Faults for tests.
package enum WriteProbe {
    /// An observer that looks at a file as a process leaves it that ends there.
    @TaskLocal package static var observer: Observer?
    /// The room on the disk, as if it were nearly full.
    @TaskLocal package static var room: Room?

    /// A function that is called after each part of a write. Each write then has several parts.
    package final class Observer: Sendable {
        fileprivate let body: @Sendable () -> Void

        package init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// A number of bytes that can still be written.
    package final class Room: Sendable {
        fileprivate let left: Mutex<Int>

        package init(_ bytes: Int) { left = Mutex(bytes) }
    }
}

func writeFully(_ bytes: [UInt8], to descriptor: Int32, _ path: String, at offset: Int) throws(FileError) {
    let observer = WriteProbe.observer
    // A head is written at once, as the system does with so few bytes.
    let most = observer == nil || bytes.count == FileHeader.count ? bytes.count : bytes.count / 3 + 1
    var done = 0
    while done < bytes.count {
        let room = WriteProbe.room?.left.withLock { $0 } ?? .max
        // A head takes the place of the former one, which needs no room.
        guard room > 0 || bytes.count == FileHeader.count else { throw .system(path, ENOSPC) }
        let length = bytes.count == FileHeader.count ? bytes.count : min(most, room, bytes.count - done)
        let count = bytes.withUnsafeBytes {
            pwrite(descriptor, $0.baseAddress.map { $0 + done }, length, off_t(offset + done))
        }
        if count > 0, bytes.count != FileHeader.count { WriteProbe.room?.left.withLock { $0 -= count } }
        if count < 0 {
            if errno == EINTR { continue }
            throw .system(path, errno)
        }
        guard count > 0 else { throw .system(path, ENOSPC) }
        done += count
        observer?.body()
    }
}

/// Runs `body` while other users of the file wait, in this process or another one.
///
/// - Throws: ``FileError/system(_:_:)`` with `EWOULDBLOCK` if another process keeps the lock for ten seconds.
func whileLocked<Result>(
    _ descriptor: Int32, _ path: String, isWrite: Bool, _ body: () throws(FileError) -> Result
) throws(FileError) -> Result {
    let deadline = Deadline(10_000)
    while flock(descriptor, (isWrite ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
        guard errno == EINTR || errno == EWOULDBLOCK, deadline.left > 0 else { throw .system(path, errno) }
        usleep(500)
    }
    defer { flock(descriptor, LOCK_UN) }
    return try body()
}

/// Runs `body`, which asks the device, for the file at this path.
func onDevice<Result: ~Copyable>(
    _ path: String, _ body: @autoclosure () throws(VaultError) -> Result
) throws(FileError) -> Result {
    do { return try body() } catch { throw .device(path, reason: "\(error)") }
}

/// Runs `body`, which needs guarded memory.
func onKeys<Result: ~Copyable>(
    _ path: String, _ body: @autoclosure () throws(SodiumError) -> Result
) throws(FileError) -> Result {
    do { return try body() } catch { throw .device(path, reason: "\(error)") }
}

extension FileHeader {
    init(reading descriptor: Int32, _ path: String) throws(FileError) {
        var bytes = [UInt8](repeating: 0, count: Self.count)
        let found = try bytes.lendMutable { (bytes) throws(FileError) in
            try readFully(descriptor, path, into: bytes, at: 0)
        }
        guard Self.isSealed(bytes) else { throw .notSealed(path) }
        guard found == Self.count, let header = FileHeader(bytes) else { throw .damaged(path) }
        self = header
    }

    /// Returns the key of the file, if its class allows the access now.
    func key(
        of path: String, on keychain: Keychain, to access: FileAccess, isWrite: Bool
    ) throws(FileError) -> Key {
        let identity = identity
        let answer = try onDevice(
            path,
            keychain.vault.openFileKey(
                wrapped, protection, for: identity, to: access, about: keychain.subject(id, path)))
        switch consume answer {
        case .denied(let rule): throw .denied(path, rule, isWrite: isWrite)
        case .granted(let key):
            guard let key else { throw .foreign(path) }
            return key
        }
    }
}

extension Keychain {
    /// Returns the subject of an access, by which the audit log and the records of a test name it.
    func subject(_ id: [UInt8], _ path: String) -> FileSubject {
        FileSubject(id: id, path: path, caller: caller)
    }
}

extension [UInt8] {
    /// Lends the bytes to `body`, whose error keeps its type.
    func lend<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = withUnsafeBytes { bytes in
            Swift.Result { () throws(Failure) in try body(bytes) }
        }
        return try result.get()
    }

    /// Lends the bytes to `body`, which may change them and whose error keeps its type.
    mutating func lendMutable<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result: Swift.Result<Result, Failure> = withUnsafeMutableBytes { bytes in
            Swift.Result { () throws(Failure) in try body(bytes) }
        }
        return try result.get()
    }
}
