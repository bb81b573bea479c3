internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
package import SodiumKit

extension MemoryFolder {
    /// The folder for files in memory that only this user reads: `XDG_RUNTIME_DIR` or `/dev/shm`; nil if both are on a disk.
    static var own: String? {
        [getenv("XDG_RUNTIME_DIR").flatMap { String(validatingCString: $0) }, "/dev/shm"].compactMap { $0 }
            .first { $0.hasPrefix("/") && isInMemory($0) }
    }
}

/// A file in memory with a secret, for an editor or another program of the user. It lies in a folder of its own that only its owner can enter.
package struct EditedFile {
    package let path: String
    private let folder: String

    /// Creates the file on tmpfs, in `XDG_RUNTIME_DIR` or in `/dev/shm`.
    ///
    /// - Throws: `CommandError` if neither is such a place, because a disk would keep the secret. It also tells the other way.
    package init(_ secret: borrowing SecureBytes, otherWay: String) throws {
        guard let place = MemoryFolder.own, let folder = TemporaryPlace.make(in: place) else {
            throw CommandError(
                "no folder in memory was found, and a disk would keep the secret: mount tmpfs at /dev/shm, or \(otherWay)"
            )
        }
        self.folder = folder
        path = folder + "/secret"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        let isWritten = file >= 0 && SecretOutput.write(secret, to: file)
        let trouble = SystemError.last
        if file >= 0 { close(file) }
        guard isWritten else {
            remove()
            throw CommandError("\(path): \(trouble)")
        }
    }

    package func read(leftBy program: String) throws -> SecureBytes {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw CommandError("\(program) left no file, and nothing was saved") }
        defer { close(file) }
        return try SecretInput.read(file, called: "the edited file")
    }

    /// Removes the folder, with everything that a program left in it.
    package func remove() { TemporaryPlace.remove(folder) }
}
