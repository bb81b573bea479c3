internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The arguments of bwrap for a plan, and the files that they refer to by descriptors.
struct Arguments: Sendable {
    /// The path of the work folder, without symbolic links.
    let work: String
    /// The files and folders that the command may read, by the paths of the plan.
    private let reads: [(path: String, file: BoundFile)]
    private let repository: GitFolder
    /// All that the command gets of the owner's files.
    let bound: [BoundFile]
    /// The work folder, and what the command may read.
    var places: [String] { [work] + reads.map(\.file.path) }
    private let plan: SandboxPlan
    private let owner = Owner()

    /// Checks the plan.
    init(_ plan: SandboxPlan) throws(SandboxError) {
        let check = PlaceCheck(plan, of: owner)
        let folder = try check.work(plan.work)
        var reads: [(String, BoundFile)] = []
        for path in plan.reads { reads.append((path, try check.read(path))) }
        repository = try GitFolder(in: folder.path)
        bound = [folder] + reads.map(\.1) + repository.files
        self.reads = reads
        work = folder.path
        self.plan = plan
        guard plan.command.first?.isEmpty == false else { throw .badWord("an empty command") }
        for word in plan.command where word.utf8.contains(0) { throw .badWord("a word with a zero byte") }
        for (name, value) in plan.environment
        where name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) || name.utf8.contains(0) || value.utf8.contains(0) {
            throw .badWord("the variable \(Quoting.json(name)): its name or value is none that a program can have")
        }
    }

    /// Returns all arguments but the command.
    ///
    /// - Parameters:
    ///   - files: The descriptors of the files that `written` lists.
    ///   - filter: The descriptor of the filter of system calls.
    ///   - hasKeys: True if the command gets a terminal of its own, of which it has to be in control.
    func all(files: [(path: String, descriptor: Int32)], filter: Int32, hasKeys: Bool) -> [String] {
        var arguments = [
            "--unshare-user", "--unshare-all", "--disable-userns", "--die-with-parent", "--cap-drop", "ALL",
        ]
        if plan.sharesNetwork { arguments.append("--share-net") }
        // Without a session of its own, a command could type into the owner's terminal.
        if !hasKeys { arguments.append("--new-session") }
        arguments += SystemFolders.arguments(sharesNetwork: plan.sharesNetwork)
        for (path, descriptor) in files { arguments += ["--perms", "0644", "--ro-bind-data", "\(descriptor)", path] }
        arguments += SystemFolders.processes + ["--seccomp", "\(filter)"]
        arguments += ["--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/var/tmp", "--dir", "/run"]
        arguments += ["--tmpfs", owner.home]
        arguments += binds
        if let sockets = plan.sockets { arguments += ["--ro-bind", sockets, SandboxPlan.socketFolder] }
        arguments += ["--remount-ro", "/", "--chdir", work, "--clearenv"]
        for (name, value) in environment() { arguments += ["--setenv", name, value] }
        return arguments
    }

    /// The files that are written for the command: their paths and their texts.
    var written: [(path: String, text: String)] {
        let files = SystemFolders.written(for: owner, sharesNetwork: plan.sharesNetwork) + plan.settings
        return files.map { ("/etc/\($0.name)", $0.text) }
    }

    /// The descriptors of this process that the command inherits.
    var inherited: [Int32] {
        [(plan.input, STDIN_FILENO), (plan.output, STDOUT_FILENO), (plan.errors, STDERR_FILENO)]
            .filter { $0.0 == .inherited }.map(\.1)
    }

    /// Returns the first three descriptors of the command, with its own terminal in place of the owner's.
    func streams(terminal: Int32?) -> Child {
        var child = Child()
        (child.input, child.output, child.errors) = (plan.input, plan.output, plan.errors)
        guard let terminal else { return child }
        let replaced = inherited.filter { isatty($0) == 1 }
        if replaced.contains(STDIN_FILENO) { child.input = .descriptor(terminal) }
        if replaced.contains(STDOUT_FILENO) { child.output = .descriptor(terminal) }
        if replaced.contains(STDERR_FILENO) { child.errors = .descriptor(terminal) }
        return child
    }

    /// Returns the command; with a terminal, after a program that puts it in control of that.
    func command(hasKeys: Bool) -> [String] { (hasKeys ? ["/usr/bin/setsid", "--ctty"] : []) + plan.command }

    /// The binds of the plan. A later one covers what is below it, so a folder comes before what it holds.
    private var binds: [String] {
        var binds = reads.map { (place: Place($0.file.path), arguments: ["--ro-bind", $0.file.path, $0.file.path]) }
        binds.append((Place(work), ["--bind", work, work] + repository.arguments))
        binds.sort { $0.place.parts.count < $1.place.parts.count }
        // A program knows a file such as ~/.gitconfig by the path of a link to it. In a folder that is there, the link is there too.
        let links = reads.filter { read in
            let place = Place(read.path)
            return place != Place(read.file.path)
                && !place.parts.contains { [".", ".."].contains(String(decoding: $0, as: UTF8.self)) }
                && !binds.contains { $0.place.holds(place) }
        }
        return binds.flatMap(\.arguments) + links.flatMap { ["--symlink", $0.file.path, $0.path] }
    }

    private func environment() -> [(name: String, value: String)] {
        let usual = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"), ("HOME", owner.home),
            ("USER", owner.name), ("LOGNAME", owner.name), ("SHELL", "/bin/sh"),
            ("LANG", SystemPath.variable("LANG") ?? "C.UTF-8"), ("TERM", SystemPath.variable("TERM") ?? "dumb"),
        ]
        return usual + plan.environment
    }
}
