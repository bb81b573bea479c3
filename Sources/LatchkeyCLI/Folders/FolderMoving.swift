internal import AgentProtocol
internal import FolderKit
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The move of a folder's content into an encrypted folder, or out of one, with its progress on the terminal.
final class FolderMoving {
    private let path: String
    private let move: FolderMove
    private let access: FolderAccess
    private var report: FolderMoveReport?

    init(_ path: String, to goal: FolderMove.Goal, _ access: FolderAccess) {
        self.path = path
        self.access = access
        move = FolderMove(folder: path, to: goal)
    }

    /// Moves the content, and shows how far it is. Ctrl-C stops the move without a change.
    func run(_ identifier: String) throws(AgentError) {
        let signals = StopSignals.held()
        let meter = Meter()
        defer { meter.clear() }
        let clock = ContinuousClock()
        var next = clock.now + Self.pause
        do throws(FolderError) {
            report = try move.run { [access, path] progress in
                meter.show(progress)
                if clock.now > next {
                    // The vault would lock itself for want of requests. If a person locks it, it stays locked.
                    _ = try? access.vault.client.ask(OpenEncryptedFolderCall(identifier, at: path), of: nil)
                    next = clock.now + Self.pause
                }
                return signals?.caught == nil
            }
        } catch {
            throw AgentError(error.isStop ? .dismissed : .request, "\(error)")
        }
    }

    /// The largest number of names that are shown.
    private static let most = 20

    /// The pause between requests that keep the vault unlocked.
    private static let pause = Swift.Duration.seconds(20)

    /// Returns the move of the folder at `path` that was interrupted; nil if there is none.
    static func unfinished(at path: String) throws(AgentError) -> FolderMove.Unfinished? {
        do throws(FolderError) { return try FolderMove.unfinished(at: path) } catch {
            throw AgentError(.request, "\(error)")
        }
    }

    /// Returns the folders that moves of the one at `path` have left, and that this key encrypts.
    static func remains(of path: String, _ identifier: String) throws(AgentError) -> [String] {
        guard let identifier = FolderKeyIdentifier(identifier) else { return [] }
        do throws(FolderError) { return try FolderMove.remains(of: path, encryptedBy: identifier) } catch {
            throw AgentError(.request, "\(error)")
        }
    }

    /// The number of files that were moved, after a comma; empty if there were none.
    var summary: String {
        guard let report, report.files > 0 else { return "" }
        return ", with \(counted(report.files, "file"))"
    }

    /// Tells what is left on the disk.
    func tellRemains() {
        guard let report else { return }
        if let kept = report.keptFolder {
            let encryption =
                switch move.goal {
                case .encrypted: ", which is not encrypted"
                case .plain: ""
                }
            Output.complain(
                "\(counted(report.kept.count, "file")) changed meanwhile, and the originals stay in \(kept)\(encryption): "
                    + "compare them, then delete that folder")
        }
        if !report.returned.isEmpty {
            Output.complain("removed meanwhile by a program, and in \(path) again:")
            for name in report.returned.prefix(Self.most) { Output.complain("  \(name)") }
            if report.returned.count > Self.most {
                Output.complain("  and \(report.returned.count - Self.most) more")
            }
        }
        guard report.bytes > 0, case .encrypted = move.goal else { return }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(folder) }
        let mount = MountedFileSystem(of: folder)?.mountPoint ?? "MOUNTPOINT"
        Output.confirm(
            "Old copies may stay on the disk until they are overwritten. To discard them on an SSD, run `sudo fstrim "
                + "\(mount)`.")
    }
}

extension FolderError {
    /// True if the user stopped the move.
    fileprivate var isStop: Bool {
        if case .cancelled = self { true } else { false }
    }
}

/// The progress of a move, on one line of the terminal.
private final class Meter {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var shown = ""

    func show(_ progress: FolderMoveProgress) {
        guard isShown, progress.total > 0 else { return }
        let verb =
            switch progress.step {
            case .copying: "Copying"
            case .comparing: "Comparing"
            case .exchanging: "Exchanging"
            case .removing: "Removing the originals"
            }
        let text = "\(verb): \(progress.done * 100 / progress.total) %"
        guard text != shown else { return }
        shown = text
        Output.write("\r\u{1B}[K\(text)", isError: true)
    }

    func clear() {
        if !shown.isEmpty { Output.write("\r\u{1B}[K", isError: true) }
        shown = ""
    }
}
