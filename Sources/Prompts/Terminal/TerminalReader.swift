internal import Glibc
internal import LinuxSystem

/// A program that reads a terminal beside a prompt there, and may get what the user types.
///
/// A program that runs a command in its own job can go on reading the terminal: a coding agent, an editor, a pager. A shell
/// cannot. It gives each command a job of its own, and what is typed goes to the job in the foreground.
package struct TerminalReader: Hashable, Sendable {
    package let process: Int32
    /// The name of its program.
    package let program: String

    /// Finds a reader of the terminal at `path`, beside the process that prompts or for which another one prompts. Returns nil
    /// if there is none.
    ///
    /// A program counts that is in the foreground with this process and waits for what is typed: in a read of the terminal, or
    /// with the terminal set to single keys. What a program does later, nothing shows.
    package init?(of path: String = "/dev/tty", besides asking: Int32 = getpid()) {
        // In the background, the system itself stops whatever would read.
        guard let job = TerminalJob(of: asking), job.terminal != 0, job.group == job.foreground,
            let terminal = try? TerminalDescriptor(path: path)
        else { return nil }
        var settings = termios()
        var file = stat()
        guard tcgetattr(terminal.number, &settings) == 0, fstat(terminal.number, &file) == 0 else { return nil }
        let others = SystemPath.names(in: "/proc").compactMap { Int32($0) }.filter {
            $0 != asking && $0 != getpid() && TerminalJob(of: $0) == job
        }
        // Another command of Latchkey sets the terminal to single keys while it waits for a sensor, and reads no passcode then.
        let isSetByAnother = settings.c_lflag & tcflag_t(ICANON) == 0 && !others.contains { Self.isOwnProgram($0) }
        let device = Self.device(of: path) ?? file.st_rdev
        guard
            let found = others.first(where: {
                isSetByAnother && Self.holds(device, $0) || Self.reads(device, $0)
            })
        else { return nil }
        process = found
        let name = SystemFile.target(of: "/proc/\(found)/exe")?.split(separator: "/").last.map(String.init)
        program = name ?? ProcessStatus.name(of: found) ?? "another program"
    }

    /// The name of the controlling terminal, by which a process finds it without knowing which it is.
    private static let controlling = "/dev/tty"

    /// Returns the device that a path names for this process; nil if it cannot be known.
    private static func device(of path: String) -> dev_t? {
        guard path == controlling, let job = TerminalJob(of: getpid()) else { return nil }
        // The number in /proc has the form in which the kernel gives it to programs.
        return dev_t(UInt32(bitPattern: job.terminal))
    }

    private static func isOwnProgram(_ process: Int32) -> Bool {
        SystemFile.target(of: "/proc/\(process)/exe").map { OwnProgram(at: $0) != nil } ?? false
    }

    /// Returns true if a process has the terminal open, or if the system hides what it has open.
    private static func holds(_ device: dev_t, _ process: Int32) -> Bool {
        let files = SystemPath.names(in: "/proc/\(process)/fd")
        return files.isEmpty ? access("/proc/\(process)/fd", R_OK) != 0 : files.contains { isOpen(device, $0, process) }
    }

    private static func isOpen(_ device: dev_t, _ file: String, _ process: Int32) -> Bool {
        var status = stat()
        guard stat("/proc/\(process)/fd/\(file)", &status) == 0, status.st_mode & S_IFMT == S_IFCHR else {
            return false
        }
        return status.st_rdev == device || SystemFile.target(of: "/proc/\(process)/fd/\(file)") == controlling
    }

    /// Returns true if a thread of a process waits in a read of the terminal.
    private static func reads(_ device: dev_t, _ process: Int32) -> Bool {
        SystemPath.names(in: "/proc/\(process)/task").contains { thread in
            let folder = "/proc/\(process)/task/\(thread)"
            if let bytes = SystemFile.bytes(folder + "/syscall", atMost: 256) {
                let words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
                guard words.count > 1, Int(words[0]) == call, words[1].hasPrefix("0x"),
                    let file = Int(words[1].dropFirst(2), radix: 16)
                else { return false }
                return isOpen(device, "\(file)", process)
            }
            // Another process may be closed to this one. Then the place in the kernel says it, on some kernels.
            let place = SystemFile.bytes(folder + "/wchan", atMost: 64).map { String(decoding: $0, as: UTF8.self) }
            return place == "n_tty_read" || (place == "wait_woken" && isOpen(device, "0", process))
        }
    }

    /// The number of the system call `read`.
    private static var call: Int {
        #if arch(x86_64)
            0
        #else
            63
        #endif
    }
}
