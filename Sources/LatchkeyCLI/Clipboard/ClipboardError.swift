internal import LinuxSystem

/// An error in copying to the clipboard. Nothing was copied, or what was copied is cleared.
enum ClipboardError: Error, CustomStringConvertible {
    /// There is no display, and no terminal over SSH.
    case noDisplay
    /// No program for the clipboard of the display is installed; this package has one.
    case missing(String)
    /// The program would write the secret into a file on a disk.
    case onDisk
    /// The program failed; the variable names the display that it used.
    case refused(String, String)
    /// The secret is no text.
    case noText
    /// The secret is longer than this number of bytes.
    case tooLong(Int)
    /// A call into the system failed.
    case system(String, SystemError)

    var description: String {
        switch self {
        case .noDisplay:
            "there is no clipboard, because neither WAYLAND_DISPLAY nor DISPLAY is set: run the command on a desktop or "
                + "over SSH, or without --clip"
        case .missing(let package):
            "no program for the clipboard was found: run `apt install \(package)`, or the command without --clip"
        case .onDisk:
            "wl-copy before version 2.3 writes what it copies into a file in /tmp, which is on a disk here: mount tmpfs at /tmp, "
                + "update wl-clipboard, or run the command without --clip"
        case .refused(let name, let variable):
            "\(name) could not copy to the clipboard of \(variable), and nothing was copied: run `\(name)` to see why, or "
                + "the command without --clip"
        case .noText: "the secret is no text, so it cannot be pasted: run the command without --clip"
        case .tooLong(let most):
            "the secret is longer than the \(most / 1024) KiB that the clipboard takes: run the command without --clip"
        case .system(let part, let error): "\(part): \(error)"
        }
    }
}
