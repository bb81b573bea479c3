internal import Glibc
package import LinuxSystem
internal import SodiumKit

/// A new file that is being written, such as a backup. It gets its name only once it is complete.
package final class NewFileWriter {
    private let path: String
    private let building: String
    private let file: Descriptor
    private let calls: NewFile.Calls
    private var offset = 0
    private var isFinished = false

    package init(_ path: String, _ calls: NewFile.Calls = NewFile.Calls()) throws {
        var status = stat()
        if lstat(path, &status) == 0 { throw VaultError.alreadyThere(path) }
        self.path = path
        self.calls = calls
        building =
            path + ".building-" + String(Sodium.randomBytes(6).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }, radix: 36)
        file = try Descriptor(building, O_WRONLY | O_CREAT | O_EXCL, named: path)
    }

    deinit { if !isFinished { unlink(building) } }

    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try file.write($0, at: offset) }
        offset += bytes.count
    }

    package func finish() throws {
        guard fsync(file.number) == 0 else { throw VaultError.afterCall(on: path) }
        let code = NewFile.place(building, at: path, calls)
        guard code == 0 else {
            throw code == EEXIST ? VaultError.alreadyThere(path) : VaultError.system(code, on: path)
        }
        isFinished = true
        do {
            try VaultFolder.synchronize(parentOf: path.utf8.contains(UInt8(ascii: "/")) ? path : "./" + path)
        } catch VaultError.system(_, EINVAL, _) {}  // some file systems cannot synchronize a folder
    }
}
