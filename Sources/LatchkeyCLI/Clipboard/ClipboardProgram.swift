internal import Glibc
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit

/// A program that writes and reads the clipboard of a display.
struct ClipboardProgram {
    /// The name of the program, by which it is searched.
    let name: String
    /// The variable that names the display it works on.
    let variable: String
    /// The Debian package that has it.
    let package: String
    /// True if the program ends only once the display has what it copied.
    let confirms: Bool
    private let copying: [String]
    private let pasting: [String]
    private let clearing: [String]

    /// The known programs, in the order in which they are tried.
    static let all = [
        ClipboardProgram(
            name: "wl-copy", variable: "WAYLAND_DISPLAY", package: "wl-clipboard", confirms: true,
            copying: ["wl-copy", "--type", "text/plain"], pasting: ["wl-paste", "--no-newline"],
            clearing: ["wl-copy", "--clear"]),
        ClipboardProgram(
            name: "xclip", variable: "DISPLAY", package: "xclip", confirms: false,
            copying: ["xclip", "-selection", "clipboard", "-in"],
            pasting: ["xclip", "-selection", "clipboard", "-out"],
            clearing: ["xclip", "-selection", "clipboard", "-in"]),
        ClipboardProgram(
            name: "xsel", variable: "DISPLAY", package: "xsel", confirms: false,
            copying: ["xsel", "--clipboard", "--input"], pasting: ["xsel", "--clipboard", "--output"],
            clearing: ["xsel", "--clipboard", "--clear"]),
    ]

    /// The time that a program may take, in milliseconds. A clipboard whose owner hangs would keep it waiting forever.
    private static let patience: Int32 = 10_000

    /// True if the program is in a folder of the `PATH`.
    var isInstalled: Bool { Self.path(of: name) != nil }

    func copy(_ secret: borrowing SecureBytes) throws(CommandError) { try run(copying, input: secret) }

    func clear() throws(CommandError) {
        let nothing: SecureBytes
        do { nothing = try SecureBytes(count: 0) } catch { throw CommandError("memory: \(SystemError(ENOMEM))") }
        try run(clearing, input: nothing)
    }

    /// Returns the keyed hash of the text on the clipboard; nil if there is none.
    func hash(under key: borrowing Key) -> Key? {
        guard let path = Self.path(of: pasting[0]) else { return nil }
        do {
            let text = try ProgramOutput.read(
                [path] + pasting.dropFirst(), errors: .dropped, most: Clipboard.longest, within: Self.patience)
            return try Clipboard.hash(of: text, under: key)
        } catch { return nil }
    }

    /// Runs the program, which may go on in the background to serve the clipboard.
    private func run(_ words: [String], input: borrowing SecureBytes) throws(CommandError) {
        guard let path = Self.path(of: words[0]) else { throw .noClipboardProgram(package) }
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw CommandError("a pipe: \(error)") }
        // If the program ends early, writing to it must not end this process.
        let former = SignalSet([SIGPIPE]).hold()
        defer { former.holdOnly() }
        var child = Child()
        (child.input, child.output, child.errors) = (.descriptor(pipe.reading), .nothing, .nothing)
        // It goes on after this command, so it must not keep what others wait for.
        child.closesOthers = true
        // The clipboard outlives the terminal, and keys such as Ctrl-C do not reach the program.
        child.company = .ownSession
        let process: Int32
        do {
            defer { close(pipe.reading) }
            process = try child.start(path, words, environment: Self.environment)
        } catch {
            close(pipe.writing)
            throw CommandError("\(name): \(error)")
        }
        let deadline = Deadline(Self.patience)
        let isWritten = SecretOutput.write(input, to: pipe.writing, until: deadline)
        close(pipe.writing)
        Self.dropBrokenPipe()
        if !isWritten || !WatchedProcess(process).isGone(within: deadline.left) { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard isWritten, status == 0 else { throw .clipboardRefused(by: name, of: variable) }
    }

    /// Takes back the signal of a program that ended before it had read everything.
    private static func dropBrokenPipe() {
        var (broken, now) = (sigset_t(), timespec())
        sigemptyset(&broken)
        sigaddset(&broken, SIGPIPE)
        while sigtimedwait(&broken, nil, &now) == SIGPIPE {}
    }

    // MARK: - Files of wl-copy

    /// True if the program writes what it copies into a file on a disk. wl-copy serves the clipboard from a file; from
    /// version 2.3 on, `TMPDIR` names its folder, and before it lies in `/tmp`.
    var isOnDisk: Bool {
        guard name == "wl-copy", let path = Self.path(of: name) else { return false }
        return isVersion(of: path, before: (2, 3)) ? !MemoryFolder.isInMemory("/tmp") : MemoryFolder.own == nil
    }

    private func isVersion(of path: String, before known: (Int, Int)) -> Bool {
        do {
            let text = try ProgramOutput.read([path, "--version"], errors: .dropped, most: 4096, within: Self.patience)
            let numbers = text.withBytes { bytes in
                bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }.firstMatch(of: /([0-9]+)\.([0-9]+)/)
            guard let numbers, let major = Int(numbers.1), let minor = Int(numbers.2) else { return true }
            return (major, minor) < known
        } catch { return true }
    }

    /// The environment of this process, with a folder in memory for temporary files.
    private static var environment: [[CChar]] {
        guard let folder = MemoryFolder.own else { return Child.environmentHere }
        let name = "TMPDIR=".utf8CString.dropLast()
        return Child.environmentHere.filter { !$0.starts(with: name) } + [Array("TMPDIR=\(folder)".utf8CString)]
    }

    /// Returns the path of a program in the folders of the `PATH`. Relative folders are left out: anyone could have filled them.
    private static func path(of name: String) -> String? {
        let search = getenv("PATH").flatMap { String(validatingCString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return search.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}
