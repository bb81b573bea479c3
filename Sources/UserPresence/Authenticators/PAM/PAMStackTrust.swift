internal import Glibc
internal import LinuxSystem
internal import PlainText

/// Whether a PAM service, with every file and module that it names, can be changed by root and us alone.
///
/// libpam itself looks at none of it: it runs a module that anybody can write to, in our process.
struct PAMStackTrust {
    /// Where libpam looks for an included file without an absolute path, whatever folder the service came from. Which one
    /// it takes depends on its version, so all of them have to be good.
    private static let libraryFolders = ["/etc/pam.d", "/usr/lib/pam.d", "/usr/share/pam.d"]
    /// Files have no reason to be deeper in each other, nor longer.
    private static let deepest = 16
    private static let longest = 1 << 16
    private static let mostFiles = 256

    private let folder: String
    private var seen: Set<String> = []
    private var paths = TrustedPath()

    private init(_ folder: String) { self.folder = folder }

    /// Throws unless the service of this name in `folder` can be believed.
    static func require(_ service: String, in folder: String) throws(AuthenticatorError) {
        try requireName(service)
        var trust = Self(folder)
        do {
            try PathTrust.require(folder, .folder)
            _ = try trust.paths.end(of: folder)
        } catch {
            throw .untrusted("the folder of PAM services \(folder) \(error)")
        }
        let path = folder + "/" + service
        var status = stat()
        // libpam would take the service `other` instead, and say nothing.
        if lstat(path, &status) != 0, errno == ENOENT { throw .noService(path) }
        do {
            try PathTrust.require(path, .file)
        } catch {
            throw .untrusted("the PAM service \(path) \(error)")
        }
        try trust.readFile(path, depth: 0)
        // What a service says nothing about, `other` says.
        try trust.readFile(folder + "/other", depth: 0)
    }

    /// libpam cuts a name at its slashes and makes it lower case, and would read another file than was looked at.
    private static func requireName(_ name: String) throws(AuthenticatorError) {
        let isPlain = name.utf8.allSatisfy { byte in
            byte > 32 && byte < 127 && byte != UInt8(ascii: "/")
                && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        guard !name.isEmpty, name != ".", name != "..", isPlain, name.utf8.count <= 255 else {
            throw .untrusted(
                "\"\(readable(name))\" is no name of a PAM service: name a file of its folder in lower case, without spaces or slashes"
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
            throw .untrusted("the PAM file \(readable(path)) is no text: write it in UTF-8, without zero bytes")
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
        // libpam puts another folder in the place of this word.
        let climbs = name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) }
        guard !name.contains("$ISA"), isAbsolute(name) || !climbs else {
            throw .untrusted(
                "the PAM file \(readable(file)) names the module \(readable(name)): name it plainly, or by its whole path"
            )
        }
        // A plain name is one of libpam's own folder. What is missing, libpam will miss.
        if isAbsolute(name) { _ = try place(of: name, "module") }
    }

    /// Where the file is, if it is there.
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

/// A name out of a file as it can be shown.
private func readable(_ name: String) -> String { Terminal.line(name, longest: PAMNotes.longest) }

private func isAbsolute(_ name: String) -> Bool { name.utf8.first == UInt8(ascii: "/") }
