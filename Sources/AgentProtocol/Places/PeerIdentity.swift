internal import Glibc
package import LinuxSystem
internal import PlainText

extension Peer {
    /// Identifies the process at the other end of a connected socket. Returns nil if the system does not know it.
    package init?(of socket: Int32) {
        guard let peer = SocketPeer(of: socket) else { return nil }
        self.init(running: peer.process, of: peer.user)
    }

    /// Identifies a process by its number.
    package init(running process: Int32, of user: UInt32) {
        let status = ProcessStatus(of: process)
        let parent = status.flatMap { $0.parent > 0 ? Program(running: $0.parent) : nil }
        self.init(user: user, client: Program(running: process), parent: parent)
    }
}

extension Peer {
    /// This process, as the audit log names it.
    package static var thisProcess: Peer { Peer(user: geteuid(), client: Program(running: getpid()), parent: nil) }
}

extension Peer.Program {
    /// Identifies the program that a process runs. Each program of this Latchkey is named as the command that people type.
    package init(running process: Int32) {
        let own = OwnProgram(of: process) != nil ? OwnProgram.command.path : nil
        let path = own ?? SystemFile.target(of: "/proc/\(process)/exe")
        self.init(process: process, path: path, name: path == nil ? ProcessStatus.name(of: process) : nil)
    }

    /// True if the program is one of this Latchkey, and was when it connected.
    package var isOwn: Bool { path != nil && path == OwnProgram.command.path && OwnProgram(of: process) != nil }

    /// The name of the program for the title of a prompt.
    package var shortName: String {
        Self.shortName(path.flatMap { $0.split(separator: "/").last.map(String.init) } ?? name ?? "a program")
    }

    /// Returns the name on one line, and without the quotation marks that stand around it in a title.
    package static func shortName(_ name: String) -> String {
        let marks: [Unicode.Scalar] = ["\"", "'"]
        let line = Terminal.line(name, longest: 40).unicodeScalars
        return String(String.UnicodeScalarView(line.map { marks.contains($0) ? "?" : $0 }))
    }

    /// The note with the path of the program, for a prompt that names its parent as the caller.
    package var note: String {
        let words = path.map { Terminal.name($0, also: "/", longest: 240) }
        return "The program that asks is \(words ?? "unknown") (process \(process)), which is not this latchkey."
    }
}

/// The programs that share an authentication, as the system identifies them.
///
/// A client cannot enter the session of a terminal from outside. A control group is weaker: the service manager of the
/// user moves the user's processes on request. If the system does not tell all of it, the authentication counts for one
/// connection alone.
package enum Holder: Hashable, Sendable {
    /// The programs of one session on a terminal, as long as the process that leads it runs.
    case session(terminal: Int32, leader: Int32, started: UInt64)
    /// A program without a terminal, in one unit of the service manager.
    case program(ProcessProgram)

    /// Identifies the holder that a process belongs to. Returns nil if the system does not tell.
    package init?(of process: Int32) {
        guard process > 0, let status = ProcessStatus(of: process) else { return nil }
        if status.terminal != 0 {
            guard let leader = ProcessStatus(of: status.session), leader.terminal == status.terminal else { return nil }
            self = .session(terminal: status.terminal, leader: status.session, started: leader.start)
        } else {
            guard let program = ProcessProgram(of: process), program.isOneUnit else { return nil }
            self = .program(program)
        }
        // The process may have moved to another session meanwhile.
        guard ProcessStatus(of: process) == status else { return nil }
    }

    /// True if the session or the unit still exists.
    package var isThere: Bool {
        switch self {
        case .session(let terminal, let leader, let started):
            let status = ProcessStatus(of: leader)
            return status?.start == started && status?.terminal == terminal
        case .program(let program): return program.isThere
        }
    }
}
