import FolderKit
import Glibc
import LinuxSystem

/// Moves of folders, which end in the middle if the test wants.
enum Moves {
    /// Adds the key of this byte and moves the folder. The process kills itself at the report of progress with this number, or at
    /// the first of this step.
    static func move(_ byte: String, _ folder: String, _ goal: String, killedAt last: String) throws {
        let key = [UInt8](repeating: UInt8(byte) ?? 0, count: FolderKeys.keyCount)
        let identifier = try FolderKeys.add(key.span.bytes, to: folder)
        let move = FolderMove(folder: folder, to: goal == "plain" ? .plain : .encrypted(identifier))
        var count = 0
        let report = try move.run { progress in
            count += 1
            if last == "\(count)" || last == "\(progress.step)" { kill(getpid(), SIGKILL) }
            return true
        }
        Said.line("moved \(report.files) files, kept \(report.kept.count), \(count) reports")
    }
}
