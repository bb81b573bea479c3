internal import Glibc
package import LinuxSystem
internal import PlainText

/// A reason why a folder was not moved. Unless it says otherwise, the folder is as it was.
///
/// Each path is the one of the folder that was given, or begins with it.
package enum FolderError: Error, Sendable, CustomStringConvertible {
    /// There is no folder at this path.
    case notFolder(String)
    /// It is the top of a file system, or something else is mounted there.
    case mountPoint(String)
    /// Something is mounted at this path in the folder.
    case mountBelow(String)
    /// It belongs to another user.
    case notOwned(String)
    /// It is a socket, a pipe or a device.
    case special(String)
    /// It is in the folder, and encrypted in another way than the folder.
    case encryptedBelow(String)
    /// It cannot be plain, because this folder above it is encrypted.
    case encryptedAbove(String, String)
    /// It cannot be read.
    case unreadable(String, SystemError)
    /// It is marked so that it can be neither changed nor removed.
    case immutable(String)
    /// It is a folder that ignores the case of names, which a copy would not.
    case foldsCase(String)
    /// It is a file whose content the kernel checks (fs-verity), which it would not for a copy.
    case verity(String)
    /// It has another name outside the folder.
    case linkedOutside(String)
    /// Processes use files of the folder at this path.
    case held(String, by: [FileHolder])
    /// A process that this one may not look into is writing to the file.
    case beingWritten(String)
    /// The disk has too little free space: the bytes needed and those free.
    case noSpace(needed: Int64, free: Int64)
    /// No file can be created in this folder above it.
    case closedParent(String, SystemError)
    /// The name is so long that there is none for the copy beside it.
    case longName(String)
    /// Something that Latchkey did not make is at the path of the copy.
    case inTheWay(String)
    /// Another process is moving the folder.
    case busy(String)
    /// The folder was moved elsewhere before its originals were removed. They have this name in the folder where it was.
    case strayed(String, from: String, mark: String)
    /// The folder is encrypted, or is to be, and its key is not there.
    case locked(String)
    /// The folder is encrypted or plain already, as it was to be.
    case already(String)
    /// The folder is encrypted by another key, or by another program.
    case foreign(String)
    /// Its file system cannot encrypt.
    case unavailable(String, EncryptionTrouble)
    /// It changed while it was copied.
    case changed(String)
    /// The copy differs from it.
    case differs(String)
    /// The caller stopped the move.
    case cancelled
    /// The system refused.
    case system(String, SystemError)
    /// The folder has its new encryption, but the rest of the originals at this path could not be removed.
    case left(String, SystemError)

    /// The sentence for the user: what happened, why, and what to do.
    package var description: String { Terminal.line(text) }

    private var text: String {
        switch self {
        case .notFolder(let path): "\(path) is no folder. Give the path of a folder itself, not of a link to it."
        case .mountPoint(let path): "\(path) is the top of a mounted file system. Choose a folder in it."
        case .mountBelow(let path):
            "Another file system is mounted at \(path). Unmount it first: umount \(quoted(path))"
        case .notOwned(let path):
            "\(path) belongs to another user. Move it out of the folder, or run this as its owner."
        case .special(let path):
            "\(path) is a socket, a pipe or a device, which has no content to move. End the program that uses it, and "
                + "remove it."
        case .encryptedBelow(let path): "\(path) is encrypted already. Move it out of the folder first."
        case .encryptedAbove(let path, let above):
            "\(path) cannot be decrypted alone: it is in \(above), which is encrypted. Decrypt that folder, or copy this one "
                + "out of it."
        case .unreadable(let path, let error):
            "\(path) cannot be read: \(error). Allow it first: chmod u+rX \(quoted(path))"
        case .immutable(let path):
            "\(path) is marked immutable or append-only, so it cannot be removed. Take the mark away first: "
                + "chattr -i -a \(quoted(path))"
        case .foldsCase(let path):
            "\(path) ignores the case of names (casefold), and its copy would not. Move it out of the folder, or move its "
                + "content into an ordinary folder first."
        case .verity(let path):
            "\(path) is protected by fs-verity, and its copy would not be. Move it out of the folder, or replace it by an "
                + "ordinary copy first."
        case .linkedOutside(let path):
            "\(path) has another name outside the folder, under which it would stay as it is. Remove that name, or "
                + "replace the file by a copy."
        case .held(let path, let holders): Self.sentence(path, holders)
        case .beingWritten(let path): "A process is writing to \(path). Wait for it, and try again."
        case .noSpace(let needed, let free):
            "The disk has \(Self.size(free)) free, and the copy needs \(Self.size(needed)). The originals go only once the "
                + "copy is complete. Free some space, and try again."
        case .closedParent(let path, let error): "Nothing can be created in \(path): \(error)."
        case .longName(let path): "The name of \(path) is too long to put a copy beside it. Rename the folder first."
        case .inTheWay(let path):
            "Something else is at \(path), where the copy belongs. Move it elsewhere, and try again."
        case .busy(let path): "Another process is moving \(path). Wait until it is done."
        case .strayed(let path, let name, let mark):
            "\(path) was moved away while its originals were being removed. They are still where it was, named \(name). Move it "
                + "back there and try again, or delete them and run: setfattr -x \(mark) \(quoted(path))"
        case .locked(let path): "The key of \(path) is not there. Unlock the vault: latchkey unlock"
        case .already(let path): "\(path) is as it should be already."
        case .foreign(let path): "\(path) is encrypted by another key or another program. Decrypt it with that first."
        case .unavailable(let path, let trouble): "\(path) cannot be encrypted: \(trouble.description)"
        case .changed(let path): "\(path) changed while it was copied. Nothing was moved. Try again."
        case .differs(let path):
            "The copy of \(path) differs from it, so nothing was moved. Try again; if it stays so, check the disk."
        case .cancelled: "Stopped. Nothing was moved."
        case .system(let path, SystemError(ENOKEY)):
            "The vault was locked before \(path) was done. Nothing was moved. Try again: latchkey unlock"
        case .system(let path, let error): "\(path): \(error). Nothing was moved."
        case .left(let path, let error):
            "The folder is moved, but its originals at \(path) could not all be removed: \(error). Run the command again."
        }
    }

    private static func sentence(_ path: String, _ holders: [FileHolder]) -> String {
        let names = holders.prefix(3).map(\.description).joined(separator: "; ")
        let rest = holders.count > 3 ? "; and \(holders.count - 3) more processes" : ""
        return "Programs use \(path): \(names)\(rest). Close them, and try again."
    }

    private static func size(_ bytes: Int64) -> String {
        let units: [(Int64, String)] = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
        guard let (unit, name) = units.first(where: { bytes >= $0.0 }) else { return "\(bytes) bytes" }
        return "\((bytes + unit - 1) / unit) \(name)"
    }

    private func quoted(_ path: String) -> String { ShellWord.quoted(path) }
}

extension FileHolder: CustomStringConvertible {
    /// The program, its number, and one of the files that it uses.
    package var description: String {
        let way =
            switch use {
            case .open: "has \(path) open"
            case .mapped: "has \(path) in its memory"
            case .workingFolder: "works in \(path)"
            case .root: "has \(path) as its root"
            }
        return "\(program) (\(process)) \(way)" + (count > 1 ? " and \(count - 1) more" : "")
    }
}

extension EncryptionTrouble {
    /// The part that lacks encryption, and the command that turns it on.
    package var description: String {
        let type = fileSystem?.type ?? "this file system"
        return switch cause {
        case .kernel: "This kernel was built without encryption for \(type)."
        case .fileSystemType: "Linux has no encryption of folders for \(type). Choose a folder on ext4 or f2fs."
        case .feature: turnedOff
        }
    }

    private var turnedOff: String {
        guard let fileSystem else { return "Encryption is turned off on this file system." }
        let device = ShellWord.quoted(fileSystem.device)
        let start = "Encryption is turned off on \(fileSystem.device), mounted at \(fileSystem.mountPoint)."
        return fileSystem.type == "f2fs"
            ? "\(start) Turn it on as root while it is not mounted: fsck.f2fs -O encrypt \(device)"
            : "\(start) Turn it on as root: tune2fs -O encrypt \(device)"
    }
}
