internal import Glibc
package import LinuxSystem

/// A process that uses files of a folder.
package struct FileHolder: Sendable {
    /// The way in which a process uses a file.
    package enum Use: Hashable, Sendable {
        case open
        /// It has the file in its memory.
        case mapped
        case workingFolder
        /// It is its root folder.
        case root
    }

    package let process: Int32
    /// The name of its program, which the process can choose.
    package let program: String
    /// One of the files that it uses. After the name of a deleted file, the system adds ` (deleted)`.
    package let path: String
    package let use: Use
    /// The number of uses, in all ways.
    package let count: Int
    /// The start of the process, which with its number identifies it.
    let start: UInt64
    let files: HeldFiles

    /// Ends the process, if it still uses files of the folder: it asks the process to end, and kills it after two seconds.
    package func end() -> HolderEnd {
        guard !Self.isOwn(process) else { return .refused }
        // The watch comes first: from then on, the number cannot come to mean another process unnoticed.
        let watched = WatchedProcess(process)
        guard ProcessStatus(of: process)?.start == start else { return .gone }
        guard case .holds = files.look(into: process) else { return .gone }
        for signal in [SIGTERM, SIGKILL] {
            let code = watched.send(signal)
            if code == ESRCH { return .ended }
            guard code == 0 else { return .failed(SystemError(code)) }
            if watched.isGone(within: 2000) { return .ended }
        }
        return .failed(SystemError(ETIMEDOUT))
    }

    /// Returns true for this process, and for those that it was started by.
    static func isOwn(_ process: Int32) -> Bool {
        var next = getpid()
        while next > 0 {
            if next == process { return true }
            next = ProcessStatus(of: next)?.parent ?? 0
        }
        return false
    }
}

/// The outcome of ending a process that uses files.
package enum HolderEnd: Hashable, Sendable {
    case ended
    /// The process had ended, or no longer used files of the folder. It got no signal.
    case gone
    /// It is this process, or one that it was started by. It got no signal.
    case refused
    /// The system refused.
    case failed(SystemError)
}
