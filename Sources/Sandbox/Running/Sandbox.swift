internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A command in a sandbox of bubblewrap. It has its work folder, the programs of the system and what its ``SandboxPlan`` gives it, and
/// nothing else of its owner.
///
/// The sandbox keeps what is outside away from the command. It does not keep the owner's other programs away from the sandbox.
///
///     try Sandbox.requireBubblewrap()
///     let sandbox = try Sandbox(SandboxPlan(command: ["make", "test"], work: "/home/alice/site"))
///     let (descriptor, port) = try sandbox.listen(onLoopback: nil)
///     try sandbox.start()
///     let status = sandbox.wait()
package final class Sandbox: Sendable {
    /// The stages of the process outside.
    private struct State: Sendable {
        var isStarted = false
        /// The status that the process ended with, once it is no longer in the system's list.
        var status: Int32?
    }

    let plan: SandboxPlan
    let arguments: Arguments
    let spaces: Spaces
    let keeper: Keeper
    private let gate: Gate
    private let relay: TerminalRelay?
    private let process: Int32
    private let tie: Tie
    private let first: WatchedFirst
    private let state = Mutex(State())
    /// The redirections in the repository before the command.
    private let redirections: [String]

    /// Throws unless this machine can make sandboxes. The error says which package to install, or that user namespaces are off.
    package static func requireBubblewrap() throws(SandboxError) { try Bubblewrap.probe() }

    /// Makes a sandbox. Its command waits for ``start()``.
    ///
    /// - Throws: ``SandboxError`` if the plan is refused or the sandbox cannot be made.
    package init(_ plan: SandboxPlan) throws(SandboxError) {
        self.plan = plan
        arguments = try Arguments(plan)
        redirections = GitFolder.redirections(in: arguments.work)
        keeper = try Keeper()
        gate = try Gate()
        relay = try TerminalRelay(for: arguments.inherited)
        let start = try Start(arguments, terminal: relay, gate: gate, on: keeper)
        (process, first, spaces, tie) = (start.process, start.first, start.spaces, start.tie)
    }

    deinit {
        end()
        if state.withLock({ $0.status == nil }) { _ = Start.reap(process) }
        relay?.end()
    }

    /// Lets the command start. A second call does nothing.
    ///
    /// - Throws: ``SandboxError`` if the sandbox has ended.
    package func start() throws(SandboxError) {
        let isFirst = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted
        }
        guard isFirst else { return }
        guard gate.open() else { throw .system("start its command", SystemError(ESRCH)) }
        relay?.begin()
    }

    /// Waits until the command has ended, and everything that it started. Returns its exit status; for a command that a signal ended,
    /// 128 and the number of the signal, as a shell does.
    package func wait() -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let status = state.withLock { state in
            let status = state.status ?? Start.reap(process)
            state.status = status
            return status
        }
        // The system ends the processes inside with the first one.
        first.waitForEnd()
        tie.release()
        relay?.end()
        return status
    }

    /// The places of the work folder and of what the command may read, in the order of the plan, without links.
    package var places: [String] { arguments.places }

    /// The files in the repository of the work folder that the command has made and that lead git to other settings: with them, git would
    /// run programs for the owner. Tell the owner to remove them before git is used there.
    package var traps: [String] {
        GitFolder.redirections(in: arguments.work).filter { !redirections.contains($0) }
    }

    /// Runs `body` unless the command was started. No copy of this process may be inside together with a command.
    func whileHeld<Value: Sendable>(_ body: () -> Value) -> Value? {
        state.withLock { $0.isStarted || $0.status != nil ? nil : body() }
    }

    /// Ends the sandbox with everything in it, from any thread.
    package func end() {
        first.kill()
        state.withLock { state in
            if state.status == nil { kill(process, SIGKILL) }
        }
    }
}
