internal import CommandLineKit
internal import Glibc
internal import LinuxSystem
internal import PlainText
internal import SodiumKit

/// The clipboard of the user: that of a display, or over SSH that of the terminal.
enum Clipboard {
    case display(ClipboardProgram)
    /// The clipboard of the terminal, which a control sequence fills (OSC 52).
    case terminal

    /// The option of a command that copies what it would write.
    static let option = Option("--clip", "-c", says: "copy it to the clipboard instead, which is cleared after a while")

    /// The largest number of bytes on a clipboard that can be one of ours.
    static let longest = 1024 * 1024
    /// The largest number of bytes that terminals accept in a control sequence.
    private static let longestForTerminal = 48 * 1024
    /// The time until the display has what a program copied, in milliseconds.
    private static let patience: Int32 = 10_000

    /// Returns the clipboard that the user pastes from. Throws if there is none.
    static func find() throws(CommandError) -> Clipboard {
        let usable = ClipboardProgram.all.filter { isSet($0.variable) }
        let installed = usable.filter(\.isInstalled)
        if let program = installed.first(where: { !$0.isOnDisk }) { return .display(program) }
        if (isSet("SSH_CONNECTION") || isSet("SSH_TTY")) && access("/dev/tty", W_OK) == 0 { return .terminal }
        if !installed.isEmpty { throw .clipboardOnDisk }
        guard let program = usable.first else { throw .noClipboard }
        throw .noClipboardProgram(program.package)
    }

    private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    /// Copies `secret`, called `name`, and confirms it. A process of its own clears the clipboard after `seconds` if it still has
    /// the secret then; 0 means never.
    func copy(_ secret: borrowing SecureBytes, called name: String, clearedAfter seconds: Int) throws {
        guard Self.isText(secret) else { throw CommandError.noTextForClipboard }
        switch self {
        case .terminal:
            try Self.copyToTerminal(secret)
            Output.confirm("Copied \(name) to the clipboard of your terminal, which only you can clear.")
        case .display(let program):
            try Self.copy(secret, by: program, clearedAfter: seconds)
            let time = seconds > 0 ? " for \(counted(seconds: seconds))" : ""
            Output.confirm("Copied \(name) to the clipboard\(time).")
        }
    }

    static func hash(of text: borrowing SecureBytes, under key: borrowing Key) throws(SodiumError) -> Key {
        var hash = try KeyedHash(key)
        text.withBytes { hash.add($0) }
        return try hash.key()
    }

    private static func copy(
        _ secret: borrowing SecureBytes, by program: ClipboardProgram, clearedAfter seconds: Int
    ) throws {
        if secret.count > longest { throw CommandError.tooLongForClipboard(longest) }
        let key = try Key.random()
        let hash = try hash(of: secret, under: key)
        // It starts first: if it cannot, the secret must not get onto the clipboard.
        let clearing = seconds > 0 ? try ClipboardClearing.start(program, after: seconds, key, hash) : nil
        do {
            try program.copy(secret)
            if !program.confirms { try awaitCopy(of: hash, under: key, by: program) }
        } catch {
            clearing?.clearNow()
            throw error
        }
        clearing?.begin()
    }

    /// Waits until the clipboard has the secret. An X server learns of it only after the program seems to have ended.
    private static func awaitCopy(
        of hash: borrowing Key, under key: borrowing Key, by program: ClipboardProgram
    ) throws(CommandError) {
        let deadline = Deadline(patience)
        while true {
            if let found = program.hash(under: key), found.equals(hash) { return }
            if deadline.left <= 1 { throw .clipboardRefused(by: program.name, of: program.variable) }
            usleep(20_000)
        }
    }

    private static func copyToTerminal(_ secret: borrowing SecureBytes) throws {
        if secret.count > longestForTerminal { throw CommandError.tooLongForClipboard(longestForTerminal) }
        let encoded = try secret.base64(.standard)
        let terminal = open("/dev/tty", O_WRONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw CommandError("/dev/tty: \(SystemError.last)") }
        defer { close(terminal) }
        guard Output.write("\u{1B}]52;c;", to: terminal), SecretOutput.write(encoded, to: terminal),
            Output.write("\u{7}", to: terminal)
        else { throw CommandError("/dev/tty: \(SystemError.last)") }
    }

    private static func isText(_ secret: borrowing SecureBytes) -> Bool {
        secret.withBytes { bytes in
            bytes.withUnsafeBytes { bytes in
                !bytes.contains(0)
                    && (try? UTF8Span(validating: bytes.assumingMemoryBound(to: UInt8.self).span)) != nil
            }
        }
    }
}
