internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import UserPresence

/// A temporary folder that only its owner can enter, with a PAM service in it.
///
/// The service consists of Debian's own modules: `pam_exec` starts `cmp`, which compares what is typed with a file.
struct DemoPlace {
    private static let service = "latchkey-demo"
    private static let user = "owner"
    private static let comparer = "/usr/bin/cmp"

    private let folder: String

    /// Creates the folder, and in it a service that accepts this passcode.
    init(passcode: String) throws {
        guard access(Self.comparer, X_OK) == 0 else {
            throw CommandError(
                "\(Self.comparer), which compares the passcode, is missing: install the package diffutils")
        }
        guard let made = TemporaryPlace.make() else {
            throw CommandError("a temporary folder cannot be created: set TMPDIR to a folder that you can write to")
        }
        // PAM needs an absolute path.
        guard let folder = realpath(made) else {
            TemporaryPlace.remove(made)
            throw CommandError("\(made) cannot be found: set TMPDIR to another folder")
        }
        self.folder = folder
        do {
            try makeService(passcode)
        } catch {
            remove()
            throw error
        }
    }

    /// Removes the folder with everything in it.
    func remove() { TemporaryPlace.remove(folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    /// The authenticator that uses the service in the folder.
    var authenticator: PAMAuthenticator {
        PAMAuthenticator(service: Self.service, folder: path("pam.d"), user: Self.user)
    }

    /// Copies those of `files` that exist from one folder of this place to another, which is created if needed.
    func copy(_ files: [String], from source: String, to target: String) throws {
        try makeFolder(path(target))
        for file in files {
            let source = path("\(source)/\(file)")
            if access(source, F_OK) == 0 { try Self.copyFile(source, to: path("\(target)/\(file)"), 0o600) }
        }
    }

    private func makeService(_ passcode: String) throws {
        try makeFolder(path("pam.d"))
        try write(passcode, to: "passcode")
        let comparing = "[\(Self.comparer)] -s - [\(path("passcode"))]"
        // pam_exec answers another wrong code than a refusal after a wrong passcode, so pam_deny refuses in its place.
        let lines = [
            "auth [success=1 default=ignore] pam_exec.so quiet expose_authtok \(comparing)",
            "auth requisite pam_deny.so", "auth required pam_permit.so", "account required pam_permit.so",
        ]
        try write(lines.joined(separator: "\n") + "\n", to: "pam.d/\(Self.service)")
    }

    private func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Self.failure(path) }
    }

    private func write(_ text: String, to name: String) throws {
        let file = open(path(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Self.failure(path(name)) }
    }

    private static func copyFile(_ source: String, to target: String, _ mode: mode_t) throws {
        let from = open(source, O_RDONLY | O_CLOEXEC)
        let to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        defer {
            close(from)
            close(to)
        }
        guard from >= 0, to >= 0 else { throw failure(from < 0 ? source : target) }
        while true {
            let count = sendfile(to, from, nil, 1 << 30)
            if count == 0 { return }
            guard count > 0 else { throw failure(target) }
        }
    }

    private static func failure(_ path: String) -> CommandError {
        CommandError("\(path): \(SystemError.last)")
    }
}
