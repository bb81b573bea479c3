internal import Glibc
internal import PlainText

/// A process as the system describes it in /proc. Nothing of it is the process's own word.
package struct ProcessStatus: Hashable, Sendable {
    package let parent: Int32
    /// The session, which is the number of the process that leads it.
    package let session: Int32
    /// The controlling terminal; 0 if there is none.
    package let terminal: Int32
    /// The time when the process started, in clock ticks since the machine did. With the number it identifies a process,
    /// even after the number has passed to another one.
    package let start: UInt64
    /// True for a thread of the kernel, which has no files.
    package let isKernelThread: Bool

    /// Reads the status of a process. Returns nil if there is no such process.
    package init?(of process: Int32) {
        guard let fields = StatusFields(of: process), let parent: Int32 = fields.number(1),
            let session: Int32 = fields.number(3), let terminal: Int32 = fields.number(4),
            let start: UInt64 = fields.number(19), let flags: UInt32 = fields.number(6)
        else { return nil }
        isKernelThread = flags & 0x20_0000 != 0
        (self.parent, self.session, self.terminal, self.start) = (parent, session, terminal, start)
    }
}

/// The fields of a process in /proc that follow its name.
private struct StatusFields {
    private let fields: [ArraySlice<UInt8>]

    init?(of process: Int32) {
        guard let bytes = SystemFile.bytes("/proc/\(process)/stat", atMost: 4096),
            // The second field, in parentheses, may contain anything.
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return nil }
        fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    }

    func number<Number: FixedWidthInteger>(_ place: Int) -> Number? {
        fields.count > place ? Number(String(decoding: fields[place], as: UTF8.self)) : nil
    }
}

/// The job of a process at its terminal, and the job in the foreground there.
package struct TerminalJob: Hashable, Sendable {
    /// The controlling terminal; 0 if there is none.
    package let terminal: Int32
    /// The process group, which is the job of the process.
    package let group: Int32
    /// The process group in the foreground.
    package let foreground: Int32

    /// Reads the job of a process. Returns nil if there is no such process.
    package init?(of process: Int32) {
        guard let fields = StatusFields(of: process), let group: Int32 = fields.number(2),
            let terminal: Int32 = fields.number(4), let foreground: Int32 = fields.number(5)
        else { return nil }
        (self.terminal, self.group, self.foreground) = (terminal, group, foreground)
    }
}

extension ProcessStatus {
    /// Returns the name of a process, which any user can read and the process can change; nil if there is none.
    package static func name(of process: Int32) -> String? {
        guard let bytes = SystemFile.bytes("/proc/\(process)/comm", atMost: 64) else { return nil }
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

/// The program of a process, and the group in which the service manager runs it.
package struct ProcessProgram: Hashable, Sendable {
    package let path: String
    /// The device and the number of its file.
    package let file: [UInt64]
    /// The control group, such as /user.slice/user-1000.slice/user@1000.service/app.slice/backup.service.
    package let group: String
    /// The number of the group's folder, which differs each time that the group is made anew.
    package let groupNumber: UInt64

    package init(path: String, file: [UInt64], group: String, groupNumber: UInt64) {
        (self.path, self.file, self.group, self.groupNumber) = (path, file, group, groupNumber)
    }

    /// Reads the program of a process. Returns nil if the system does not tell all of it.
    package init?(of process: Int32) {
        let link = "/proc/\(process)/exe"
        var status = stat()
        guard let path = SystemFile.target(of: link), stat(link, &status) == 0,
            let bytes = SystemFile.bytes("/proc/\(process)/cgroup", atMost: 4096)
        else { return nil }
        self.path = path
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        // The unified hierarchy is the line that begins with a zero.
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix("0::/") }),
            let number = Self.number(ofGroup: String(line.dropFirst(3)))
        else { return nil }
        group = String(line.dropFirst(3))
        groupNumber = number
    }

    private static func number(ofGroup group: String) -> UInt64? {
        var status = stat()
        return stat("/sys/fs/cgroup" + group, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// True if the group still exists.
    package var isThere: Bool { Self.number(ofGroup: group) == groupNumber }

    /// True if the group is that of one service or one program of a desktop, and not of a whole desktop.
    package var isOneUnit: Bool { Self.isOneUnit(group) }

    /// Returns true if this control group is that of one service or one program of a desktop.
    package static func isOneUnit(_ group: String) -> Bool {
        let parts = group.split(separator: "/")
        guard let unit = parts.last else { return false }
        // A desktop, its bus and its service manager start other programs in their own groups.
        if parts.contains("session.slice") || ["dbus.service", "dbus-broker.service"].contains(unit) { return false }
        if unit.hasPrefix("user@") { return false }
        return unit.hasSuffix(".service") || (unit.hasPrefix("app-") && unit.hasSuffix(".scope"))
    }
}

/// Files of the system that are read in one piece.
package enum SystemFile: Sendable {
    /// Returns the first bytes of a regular file; nil if it is another kind of file, or cannot be read. It never waits, as
    /// it would for the other end of a pipe.
    package static func regularBytes(_ path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let count = min(limit, max(0, Int(status.st_size)))
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, place in
            while place < count {
                let part = read(file, UnsafeMutableRawPointer(bytes.baseAddress! + place), count - place)
                if part < 0 && errno == EINTR { continue }
                if part <= 0 { break }
                place += part
            }
        }
    }

    /// Returns the bytes of a file, or the first ones; nil if it cannot be read. It takes no more memory than there are bytes,
    /// because most files of the system are far shorter than their limits.
    package static func bytes(_ path: String, atMost limit: Int = .max) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 16_384))
        while bytes.count < limit {
            let count = read(file, &chunk, min(chunk.count, limit - bytes.count))
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Returns the path that a symbolic link leads to; nil if it cannot be read.
    package static func target(of link: String) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let room = path.count
        let count = link.withPath { readlink($0, &path, room) }
        guard count > 0, count < room else { return nil }
        return PathText.text(path[..<count].map { UInt8(bitPattern: $0) })
    }
}
