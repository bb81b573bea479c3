internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The target of an export that is not encrypted: a new file that only its owner can read, or standard output.
struct ExportTarget {
    struct Options: OptionList {
        let show = Option("--show", says: "write to a terminal, where others may see the secrets")
        let yes = Option("--yes", says: "write without asking")
    }

    /// The path of the file; nil for standard output.
    private let path: String?

    /// Checks the target before anything is asked.
    ///
    /// - Throws: `AgentError` if others could read what is written, or the file exists.
    init(_ word: String?, _ given: Given<Options>) throws {
        path = word == "-" ? nil : word
        if let path { try Self.requireNew(path) } else { try Self.requirePrivateOutput(shows: given[\.show]) }
    }

    private static func requireNew(_ path: String) throws {
        do throws(SystemError) { try OutputFile.requirePrivate(path) } catch {
            let name = Terminal.line(path)
            switch error.code {
            case EEXIST: throw AgentError(.exists, "\(name) exists already\(openness(of: path)): choose another path")
            case EPERM:
                throw AgentError(
                    .request, "the file system of \(name) lets other users read it: choose a path on another one")
            default: throw AgentError(.request, "\(name): \(error)")
            }
        }
    }

    /// Returns the words for a file that others can read; nothing for any other.
    private static func openness(of path: String) -> String {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
            return ""
        }
        return ", and other users can read it (mode \(String(status.st_mode & 0o777, radix: 8)))"
    }

    private static func requirePrivateOutput(shows: Bool) throws {
        if isatty(STDOUT_FILENO) == 1 {
            guard !shows else { return }
            throw AgentError(
                .request, "standard output is a terminal: name a FILE, or add --show to show the secrets there")
        }
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0 else { throw OutputError(code: errno) }
        if status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o077 != 0 {
            throw AgentError(
                .request,
                "standard output is a file that other users can read (mode \(String(status.st_mode & 0o777, radix: 8))): "
                    + "name the FILE instead, and only you can read it")
        }
    }

    /// Asks the user. Throws unless the answer is yes, or `--yes` gave it.
    func requireConsent(to count: Int, _ given: Given<Options>, _ prompter: Prompter) throws {
        if given[\.yes] { return }
        let place = path.map { Terminal.line($0) } ?? "standard output"
        if try !prompter.confirms("Write \(counted(count, "secret")) to \(place), not encrypted?", else: "add --yes") {
            throw AgentError(.dismissed, "nothing was written: add --yes to write without being asked")
        }
    }

    /// Writes the whole file, and tells the user what to do with it.
    func deliver(_ bytes: borrowing SecureBytes, count: Int) throws {
        guard let path else {
            try SecretOutput.put(bytes)
            Output.confirm("Wrote \(counted(count, "secret")), not encrypted.")
            return
        }
        do throws(SystemError) {
            // A signal must not leave a part of the file behind under another name.
            let former = SignalSet(Signals.ending + [SIGTSTP]).hold()
            defer { former.holdOnly() }
            try OutputFile.createPrivate(path) { SecretOutput.write(bytes, to: $0) }
        } catch { throw AgentError(.request, Output.words(error, on: path)) }
        Output.confirm(
            "Wrote \(counted(count, "secret")) to \(Terminal.line(path)), not encrypted. Once you have used it: "
                + "shred -u \(Shell.word(path))")
    }
}
