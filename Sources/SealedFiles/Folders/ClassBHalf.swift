internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// The public half of the key of class B, with which a locked device creates files. The device has sealed it, so no other
/// program can replace it by its own.
///
/// A folder keeps it in a file of its own, `.latchkey-files`, so that other processes can create files while the device is
/// locked. A simulated device has only one process, and keeps it in memory.
final class ClassBHalf: Sendable {
    private static let magic = Array("LKHALF1\n".utf8)
    private static let longest = 1024

    private let path: String?
    private let box: Mutex<[UInt8]?>

    /// Creates the half of a folder, which ``load()`` reads.
    init(keptIn folder: String) {
        path = folder + "/.latchkey-files"
        box = Mutex(nil)
    }

    /// Creates a half that is kept in memory.
    init(_ known: [UInt8]?) {
        path = nil
        box = Mutex(known)
    }

    /// The sealed half; nil if there is none yet.
    var known: [UInt8]? { box.withLock { $0 } }

    /// Reads what an earlier process has kept.
    func load() {
        guard let path, let kept = Self.content(of: path) else { return }
        box.withLock { $0 = Array(kept.dropFirst(Self.magic.count)) }
    }

    /// Keeps a half. If its file cannot be written, only other processes miss it.
    func keep(_ next: [UInt8]) {
        box.withLock { $0 = next }
        // A file of another program in this place stays there.
        guard let path, access(path, F_OK) != 0 || Self.content(of: path) != nil else { return }
        let draft = "\(path)-\(UInt64.random(in: .min ... .max))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard (try? writeFully(Self.magic + next, to: descriptor, draft, at: 0)) != nil, rename(draft, path) == 0 else {
            unlink(draft)
            return
        }
    }

    /// Forgets the half, because the device has been erased.
    func forget() { box.withLock { $0 = nil } }

    private static func content(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let found = try? bytes.lendMutable { (bytes) throws(FileError) in
            try readFully(descriptor, path, into: bytes, at: 0)
        }
        guard let found, found > magic.count, bytes.starts(with: magic) else { return nil }
        return Array(bytes[..<found])
    }
}
