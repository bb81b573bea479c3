internal import Glibc

/// A program of Latchkey. One finds the others beside itself, as they are built, or as they are installed: the command in `bin`, and
/// the others in `libexec/latchkey`.
package enum OwnProgram: String, CaseIterable, Sendable {
    /// The daily commands.
    case command = "latchkey"
    /// The other commands.
    case tools = "latchkey-tools"
    case agent = "latchkey-agent"

    /// A file that was found for a program.
    private struct File {
        let program: OwnProgram
        let path: String
        let device: dev_t
        let number: ino_t
        let owner: uid_t
        /// The last change of the file, in nanoseconds. Another file can get its number, and its content can be replaced.
        let changed: Int64

        init?(_ program: OwnProgram, _ path: String) {
            var status = stat()
            guard path.withPath({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (self.program, self.path) = (program, path)
            (device, number, owner) = (status.st_dev, status.st_ino, status.st_uid)
            changed = Self.change(of: status)
        }

        func isThere(_ other: stat) -> Bool {
            device == other.st_dev && number == other.st_ino && changed == Self.change(of: other)
        }

        private static func change(of status: stat) -> Int64 {
            Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        }
    }

    /// The files of all programs, as they were when the first one was needed: a later version may take their place.
    private static let files: [File] = {
        guard let own = SystemFile.target(of: running), let (folder, _) = SystemPath.split(own) else { return [] }
        var status = stat()
        guard stat(running, &status) == 0 else { return [] }
        var folders = [folder]
        if folder.hasSuffix("/bin") { folders.append(folder.dropLast("/bin".count) + libexec) }
        if folder.hasSuffix(libexec) { folders.append(folder.dropLast(libexec.count) + "/bin") }
        return allCases.compactMap { program in
            let found = folders.lazy.compactMap { File(program, "\($0)/\(program.rawValue)") }
            // Not one that another user has put there.
            return found.first { [0, status.st_uid].contains($0.owner) }
        }
    }()

    private static let running = "/proc/self/exe"
    private static let libexec = "/libexec/latchkey"

    /// The path of the program; nil if it is not there.
    package var path: String? { Self.files.first { $0.program == self }?.path }

    /// Finds the program by the path of its file. Returns nil if it is another program.
    package init?(at path: String) {
        guard let file = Self.files.first(where: { $0.path == path }) else { return nil }
        self = file.program
    }

    /// Finds the program that a process runs. Returns nil if it is another one, or another version of it.
    package init?(of process: Int32) {
        var status = stat()
        guard stat("/proc/\(process)/exe", &status) == 0,
            let file = Self.files.first(where: { $0.isThere(status) })
        else { return nil }
        self = file.program
    }

    /// Looks for the files now.
    package static func find() { _ = files }

    /// Lets the program take the place of this one in the same process, with these words after its name. Returns only if that
    /// fails, with the reason.
    package func takeOver(_ words: [[UInt8]]) -> SystemError {
        guard let path else { return SystemError(ENOENT) }
        var arguments = ([Array(rawValue.utf8)] + words).map { strdup(Array($0.map { CChar(bitPattern: $0) } + [0])) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        _ = path.withPath { execv($0, arguments) }
        return .last
    }
}
