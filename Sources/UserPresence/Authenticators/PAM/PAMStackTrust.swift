internal import Glibc
internal import LinuxSystem
internal import PlainText

/// A check that only root and one user, or root alone, can change a PAM service and all files and modules that it names.
///
/// libpam does not check this. It would run a module that any user can write to, inside this process.
struct PAMStackTrust {
    /// The folders in which libpam looks for an included file without an absolute path. Which one it uses depends on
    /// its version, so all of them have to be safe.
    private static let libraryFolders = ["/etc/pam.d", "/usr/lib/pam.d", "/usr/share/pam.d"]
    // No sensible service nests files deeper, or has longer ones.
    private static let deepest = 16
    private static let longest = 1 << 16
    private static let mostFiles = 256

    private let folder: String
    private var seen: Set<String> = []
    private var paths: TrustedPath

    private init(_ folder: String, trusting user: UInt32?) {
        self.folder = folder
        paths = TrustedPath(trusting: user)
    }

    /// Throws unless the service `service` in `folder` can be trusted: only root can change it, and `user` unless that is nil.
    static func require(
        _ service: String, in folder: String, trusting user: UInt32?
    ) throws(AuthenticatorError) {
        try requireName(service)
        var trust = Self(folder, trusting: user)
        do {
            try PathTrust.require(folder, .folder, trusting: user)
            _ = try trust.paths.end(of: folder)
        } catch {
            throw .untrusted("the folder of PAM services \(folder) \(error)")
        }
        let path = folder + "/" + service
        var status = stat()
        // Without this check libpam would silently use the service `other`.
        if lstat(path, &status) != 0, errno == ENOENT { throw .noService(path) }
        do {
            try PathTrust.require(path, .file, trusting: user)
        } catch {
            throw .untrusted("the PAM service \(path) \(error)")
        }
        try trust.readFile(path, depth: 0)
        // libpam falls back to `other` for each kind of module that the service does not list.
        try trust.readFile(folder + "/other", depth: 0)
    }

    /// Throws unless `name` is a plain file name. libpam cuts a name at its slashes and turns it into lower case, so it
    /// would read another file than the one that was checked.
    private static func requireName(_ name: String) throws(AuthenticatorError) {
        let isPlain = name.utf8.allSatisfy { byte in
            byte > 32 && byte < 127 && byte != UInt8(ascii: "/")
                && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        guard !name.isEmpty, name != ".", name != "..", isPlain, name.utf8.count <= 255 else {
            throw .untrusted(
                "\"\(readable(name))\" is no name of a PAM service: use a file name in lower case without spaces"
            )
        }
    }

    private mutating func readFile(_ path: String, depth: Int) throws(AuthenticatorError) {
        guard depth <= Self.deepest else {
            throw .untrusted("the PAM file \(readable(path)) is included \(depth) files deep: include it more directly")
        }
        guard let place = try place(of: path, "file"), seen.insert(place).inserted else { return }
        guard seen.count <= Self.mostFiles else {
            throw .untrusted("the PAM service includes more than \(Self.mostFiles) files: name a simpler one")
        }
        guard let references = PAMServiceFile.references(in: try Self.contents(of: place)) else {
            throw .untrusted("the PAM file \(readable(path)) is not text: write it in UTF-8, without zero bytes")
        }
        for reference in references {
            switch reference {
            case .module(let name): try requireModule(name, in: path)
            case .file(let name) where isAbsolute(name): try readFile(name, depth: depth + 1)
            case .file(let name):
                for folder in [folder] + Self.libraryFolders { try readFile(folder + "/" + name, depth: depth + 1) }
            }
        }
    }

    private mutating func requireModule(_ name: String, in file: String) throws(AuthenticatorError) {
        // libpam replaces this word with another folder.
        let climbs = name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        guard !name.contains("$ISA"), isAbsolute(name) || !climbs else {
            throw .untrusted(
                "the PAM file \(readable(file)) names the module \(readable(name)): use a plain or an absolute one"
            )
        }
        // libpam looks up a plain name in its own folder, which is not checked here. It reports a missing module by
        // itself.
        if isAbsolute(name) { _ = try place(of: name, "module") }
    }

    /// Returns the real path of the file at `path`; nil if there is none.
    private mutating func place(of path: String, _ what: String) throws(AuthenticatorError) -> String? {
        do {
            return try paths.file(at: path)
        } catch {
            throw .untrusted("the PAM \(what) \(readable(path)) \(error)")
        }
    }

    private static func contents(of path: String) throws(AuthenticatorError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            throw .untrusted("the PAM file \(readable(path)) cannot be read: \(SystemError.last)")
        }
        defer { close(file) }
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: longest + 1) { buffer, count in
            while count < buffer.count {
                let got = read(file, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                if got < 0 {
                    if errno == EINTR { continue }
                    code = errno
                }
                guard got > 0 else { break }
                count += got
            }
        }
        guard code == 0 else {
            throw .untrusted("the PAM file \(readable(path)) cannot be read: \(SystemError(code))")
        }
        guard bytes.count <= longest else {
            throw .untrusted("the PAM file \(readable(path)) has more than \(longest) bytes: name a simpler service")
        }
        return bytes
    }
}

/// Returns `name`, which comes from a file, as it can safely be shown.
private func readable(_ name: String) -> String { Terminal.line(name, longest: PAMNotes.longest) }

private func isAbsolute(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "/") }
