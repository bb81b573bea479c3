internal import Glibc
internal import LinuxSystem

// The place of a prompt for another process, which has asked a service of this one. The service has no display itself.

extension PinentryPlace {
    /// The most bytes of an environment that are read.
    private static let longestEnvironment = 1 << 20
    /// The most ancestors of a process that are looked at.
    private static let mostAncestors = 32

    /// Finds the display and the terminal of another process of this user.
    ///
    /// They are those of the process itself, or else of its nearest ancestor that has one, or of `others`, the first of
    /// which counts most. A process of another user, and one that the system hides, have no place of their own. The user of
    /// a process chooses its environment, so a program can lead a prompt to another display of the same user; each
    /// variable must have its form, and nothing else of the environment reaches a pinentry.
    package init(of process: Int32, orOf others: [Int32] = []) {
        var values: [String: String] = [:]
        for candidate in Self.line(from: process) + others {
            let found = Self.variables(of: candidate)
            for group in [Self.displays, Self.terminals, Self.locales] where group.allSatisfy({ values[$0] == nil }) {
                for name in group { values[name] = found[name] }
            }
        }
        self.init(values, home: Self.home, runtime: "/run/user/\(geteuid())")
    }

    /// True if a prompt can be shown in a window or on a terminal.
    package var isSomewhere: Bool { hasX || hasWayland || terminal != nil }

    /// The variables that belong together: a display is never mixed with the authority for another one.
    private static let displays = ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"]
    private static let terminals = ["GPG_TTY", "TERM"]

    /// The process and its ancestors of this user, the nearest first, and the process that leads its session.
    private static func line(from process: Int32) -> [Int32] {
        var line: [Int32] = []
        var next = process
        while next > 1, line.count < mostAncestors, !line.contains(next), let status = ProcessStatus(of: next) {
            line.append(next)
            next = status.parent
        }
        if let session = ProcessStatus(of: process)?.session, session > 1, !line.contains(session) {
            line.append(session)
        }
        return line
    }

    /// Returns the sound variables of a process; none if it is another user's, or if the system hides them.
    private static func variables(of process: Int32) -> [String: String] {
        guard process > 0, let status = ProcessStatus(of: process), isOwn(process),
            let bytes = SystemFile.bytes("/proc/\(process)/environ", atMost: longestEnvironment)
        else { return [:] }
        var found: [String: String] = [:]
        for entry in bytes.split(separator: 0) {
            guard let text = String(validating: entry, as: UTF8.self), let equals = text.firstIndex(of: "=") else {
                continue
            }
            let (name, value) = (String(text[..<equals]), String(text[text.index(after: equals)...]))
            if variables.contains(name), found[name] == nil, isSound(value, for: name) { found[name] = value }
        }
        if let terminal = terminal(status.terminal) { found["GPG_TTY"] = terminal }
        // The number may have passed to another process meanwhile.
        return ProcessStatus(of: process)?.start == status.start ? found : [:]
    }

    private static func isOwn(_ process: Int32) -> Bool {
        var status = stat()
        return stat("/proc/\(process)", &status) == 0 && status.st_uid == geteuid()
    }

    /// A copy of the place without its terminal, for a prompt while another program reads what the user types there.
    package var withoutTerminal: PinentryPlace {
        var place = self
        place.leaveTerminal()
        return place
    }

    /// Returns the path of the terminal with a number as in /proc, whatever the streams of its processes are; nil if there is
    /// none.
    private static func terminal(_ device: Int32) -> String? {
        let bits = UInt32(bitPattern: device)
        let (major, minor) = (bits >> 8 & 0xFFF, bits & 0xFF | bits >> 12 & 0xFFF00)
        // Numbers that Linux fixes: terminals of programs, and those of the machine itself.
        switch major {
        case 136...143: return "/dev/pts/\((major - 136) << 20 | minor)"
        case 4 where minor < 64: return "/dev/tty\(minor)"
        default: return nil
        }
    }
}
