/// The errors in copying to the clipboard. Nothing was copied, or what was copied is cleared.
extension CommandError {
    /// There is no display, and no terminal over SSH.
    static var noClipboard: CommandError {
        CommandError(
            "there is no clipboard, because neither WAYLAND_DISPLAY nor DISPLAY is set: run the command on a desktop or "
                + "over SSH, or without --clip")
    }

    /// No program for the clipboard of the display is installed; `package` has one.
    static func noClipboardProgram(_ package: String) -> CommandError {
        CommandError(
            "no program for the clipboard was found: run `apt install \(package)`, or the command without --clip")
    }

    /// The program would write the secret into a file on a disk.
    static var clipboardOnDisk: CommandError {
        CommandError(
            "wl-copy before version 2.3 writes what it copies into a file in /tmp, which is on a disk here: mount tmpfs at /tmp, "
                + "update wl-clipboard, or run the command without --clip")
    }

    /// The program failed; the variable names the display that it used.
    static func clipboardRefused(by program: String, of variable: String) -> CommandError {
        CommandError(
            "\(program) could not copy to the clipboard of \(variable), and nothing was copied: run `\(program)` to see why, or "
                + "the command without --clip")
    }

    /// The secret is no text.
    static var noTextForClipboard: CommandError {
        CommandError("the secret is no text, so it cannot be pasted: run the command without --clip")
    }

    /// The secret is longer than this number of bytes.
    static func tooLongForClipboard(_ most: Int) -> CommandError {
        CommandError(
            "the secret is longer than the \(most / 1024) KiB that the clipboard takes: run the command without --clip")
    }
}
