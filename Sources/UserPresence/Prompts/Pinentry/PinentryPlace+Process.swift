internal import Glibc
internal import LinuxSystem

extension PinentryPlace {
    private static let longestEnvironment = 256 * 1024

    /// Reads the place from the environment and the terminal of another process. Returns nil if the process is another
    /// user's, or does not let its environment be read.
    package init?(ofProcess process: Int32) {
        var owner = stat()
        guard stat("/proc/\(process)/environ", &owner) == 0, owner.st_uid == geteuid(),
            let bytes = SystemFile.bytes("/proc/\(process)/environ", atMost: Self.longestEnvironment)
        else { return nil }
        var values: [String: String] = [:]
        for entry in bytes.split(separator: 0) {
            guard let text = String(validating: entry, as: UTF8.self), let equals = text.firstIndex(of: "=") else {
                continue
            }
            let name = String(text[..<equals])
            // The first one counts, as for the process itself.
            if Self.variables.contains(name), values[name] == nil {
                values[name] = String(text[text.index(after: equals)...])
            }
        }
        // The terminal that the process has now is better than what a variable says of it.
        values["GPG_TTY"] = Self.terminal(of: process) ?? values["GPG_TTY"]
        self.init(values, home: Self.home, runtime: "/run/user/\(geteuid())")
    }

    /// A copy of the place without its terminal, for a prompt while another program reads what the user types there.
    package var withoutTerminal: PinentryPlace {
        var place = self
        place.leaveTerminal()
        return place
    }

    /// Returns the path of the terminal that controls a process; nil if there is none.
    private static func terminal(of process: Int32) -> String? {
        guard let number = ProcessStatus(of: process)?.terminal, number != 0 else { return nil }
        let device = UInt32(bitPattern: number)
        let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & 0xFFF00)
        // Numbers that Linux fixes: terminals of programs, and those of the machine itself.
        switch major {
        case 136...143: return "/dev/pts/\((major - 136) << 20 | minor)"
        case 4 where minor < 64: return "/dev/tty\(minor)"
        default: return nil
        }
    }
}
