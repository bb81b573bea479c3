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
            copying: ["wl-copy"], pasting: ["wl-paste", "--no-newline"], clearing: ["wl-copy", "--clear"]),
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

    /// Puts `secret` on the clipboard.
    func copy(_ secret: borrowing SecureBytes) throws(ClipboardError) { try run(copying, input: secret) }

    /// Empties the clipboard.
    func clear() throws(ClipboardError) {
        let nothing: SecureBytes
        do { nothing = try SecureBytes(count: 0) } catch { throw .system("memory", SystemError(ENOMEM)) }
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
    private func run(_ words: [String], input: borrowing SecureBytes) throws(ClipboardError) {
        guard let path = Self.path(of: words[0]) else { throw .missing(package) }
        let pipe: Pipe
        do { pipe = try Pipe() } catch { throw .system("a pipe", error) }
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
            process = try child.start(path, words, environment: Child.environmentHere)
        } catch {
            close(pipe.writing)
            throw .system(name, error)
        }
        let isWritten = SecretOutput.write(input, to: pipe.writing)
        close(pipe.writing)
        if !WatchedProcess(process).isGone(within: Self.patience) { kill(process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        guard isWritten, status == 0 else { throw .refused(name, variable) }
    }

    /// Returns the path of a program in the folders of the `PATH`. Relative folders are left out: anyone could have filled them.
    private static func path(of name: String) -> String? {
        let search = getenv("PATH").flatMap { String(validatingCString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return search.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }
}
