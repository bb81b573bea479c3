internal import Glibc
internal import LinuxSystem

/// The files of a repository in the work folder that run programs outside later: hooks and settings, also those of its submodules and
/// work trees. The command may not change them.
struct GitFolder: Sendable {
    /// The binds that keep them as they are, in order.
    private(set) var arguments: [String] = []
    /// The files that are bound.
    private(set) var files: [BoundFile] = []

    /// Looks for a repository in a work folder.
    init(in work: String) throws(SandboxError) {
        let folder = "\(work)/.git"
        guard let kind = try Self.examine(folder)?.kind else { return }
        // The file of a work tree or a submodule leads to the repository. A folder that is mounted on itself cannot be renamed, and
        // another put in its place.
        try bind(folder, kind == S_IFDIR ? "--bind" : "--ro-bind")
        if kind != S_IFDIR { return }
        // Without a folder of hooks, the command could create one.
        let hooks = "\(folder)/hooks"
        if try Self.examine(hooks) == nil, mkdir(hooks, 0o755) != 0 {
            throw .system("create \(hooks), which keeps hooks out of the repository", .last)
        }
        for name in ["hooks", "config", "config.worktree", "modules", "worktrees"] {
            try bind("\(folder)/\(name)", "--ro-bind")
        }
    }

    private mutating func bind(_ path: String, _ how: String) throws(SandboxError) {
        guard let file = try Self.examine(path) else { return }
        files.append(file)
        arguments += [how, path, path]
    }

    /// Returns the files that are there now and lead git to settings which the command may write. They cannot be kept out, because git
    /// has to write to their folder.
    static func redirections(in work: String) -> [String] {
        ["commondir", "config.worktree"].map { "\(work)/.git/\($0)" }.filter { access($0, F_OK) == 0 }
    }

    /// Examines the file at `path`; nil if there is none.
    private static func examine(_ path: String) throws(SandboxError) -> BoundFile? {
        let file: BoundFile?
        do { file = try BoundFile(itself: path) } catch { throw .system("examine \(path)", error) }
        guard let file, file.kind != S_IFDIR, file.kind != S_IFREG else { return file }
        throw .refused(
            path: path, why: "is no plain file and no folder, so that it could lead git elsewhere: replace it")
    }
}
