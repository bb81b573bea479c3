internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// A program that exists, and its arguments.
struct Program {
    private let path: RawText
    private let words: [RawText]

    /// Finds the program that the first word names; in the folders of `search` if it is not a path.
    init(_ words: [RawText], searching search: RawText?) throws(CommandError) {
        let name = words.first ?? RawText("")
        self.words = words
        if name.bytes.contains(UInt8(ascii: "/")) {
            path = name
            if let code = Self.trouble(name) { throw Self.fault(name, code) }
            return
        }
        var code = ENOENT
        let folders = (search ?? RawText("/usr/local/bin:/usr/bin:/bin")).bytes
            .split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        for folder in name.bytes.isEmpty ? [] : folders {
            let candidate = RawText((folder.isEmpty ? [UInt8(ascii: ".")] : Array(folder)) + "/".utf8 + name.bytes)
            guard let trouble = Self.trouble(candidate) else {
                path = candidate
                return
            }
            // Skip a folder that this user may not search, as shells do: it may be the home of another user.
            if trouble == EACCES && candidate.withCString({ access($0, F_OK) }) == 0 { code = EACCES }
        }
        throw Self.fault(name, code)
    }

    /// Returns the error of a program that does not start. The exit statuses are those of shells.
    private static func fault(_ word: RawText, _ code: Int32) -> CommandError {
        let name = word.text
        let reason =
            switch code {
            case ENOENT where !name.contains("/"): "there is no such command"
            case E2BIG: "the command line and the environment together are too long for Linux"
            default: "\(SystemError(code))"
            }
        return CommandError("\(Terminal.word(name)): \(reason)", status: code == ENOENT || code == ENOTDIR ? 127 : 126)
    }

    private static func trouble(_ path: RawText) -> Int32? {
        path.withCString { path in
            var status = stat()
            guard stat(path, &status) == 0 else { return errno }
            guard status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else { return EACCES }
            return nil
        }
    }

    /// Replaces this process with the program. Returns only if that fails.
    func become(_ environment: inout EnvironmentBlock) -> CommandError {
        Self.fault(words[0], environment.withPointers { start($0) { execve($0, $1, $2) == 0 ? 0 : errno } })
    }

    /// Starts the program as `child`, and returns its process.
    func start(_ child: Child, _ environment: inout EnvironmentBlock) throws(CommandError) -> pid_t {
        var process: pid_t = 0
        let code = environment.withPointers { variables in
            start(variables) { child.start($0, $1, $2, &process) }
        }
        if code != 0 { throw Self.fault(words[0], code) }
        return process
    }

    /// Starts the program. A file that the system cannot execute is run by the shell, as everywhere.
    private func start(
        _ variables: Child.Strings, _ start: (UnsafePointer<CChar>, Child.Strings, Child.Strings) -> Int32
    ) -> Int32 {
        CrashSafety.withLimitsOfBirth {
            let code = path.withCString { path in Self.withStrings(words) { start(path, $0, variables) } }
            guard code == ENOEXEC else { return code }
            return Self.withStrings([RawText("/bin/sh"), path] + words.dropFirst()) { start("/bin/sh", $0, variables) }
        }
    }

    private static func withStrings(_ words: [RawText], _ body: (Child.Strings) -> Int32) -> Int32 {
        var strings: [UnsafeMutablePointer<CChar>?] = words.map { $0.withCString { strdup($0) } } + [nil]
        defer { for string in strings { free(string) } }
        return strings.withUnsafeMutableBufferPointer { strings in
            guard let first = strings.baseAddress else { return ENOMEM }
            return body(first)
        }
    }
}
