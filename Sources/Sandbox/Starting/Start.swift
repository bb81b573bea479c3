internal import CSandbox
internal import Glibc
internal import LinuxSystem
internal import PlainText

/// The start of bwrap for a plan.
struct Start: Sendable {
    /// The process of bwrap outside.
    let process: Int32
    /// The first process inside, with whose end all others end.
    let first: WatchedFirst
    let spaces: Spaces
    let tie: Tie

    /// Starts bwrap on the thread of the keeper. It waits at the gate once the sandbox is ready.
    ///
    /// - Parameter terminal: The terminal that the command gets in place of the owner's; nil if it gets none.
    init(_ arguments: Arguments, terminal: TerminalRelay?, gate: Gate, on keeper: Keeper) throws(SandboxError) {
        let path = try Bubblewrap.path()
        let files = try arguments.written.map { file throws(SandboxError) in
            (path: file.path, file: try Self.file(Array(file.text.utf8)))
        }
        let filter = try Self.file(Self.filter)
        let list = arguments.all(
            files: files.map { ($0.path, $0.file.descriptor) }, filter: filter.descriptor,
            hasKeys: terminal?.hasKeys == true)
        // The list of processes shows the words of a program to every user, and not those that it reads from a file.
        let words = try Self.file(list.flatMap { PathText.bytes($0) + [0] })
        let info = try Self.pipe()
        defer { close(info.reading) }

        var child = arguments.streams(terminal: terminal?.inside)
        child.kept =
            [gate.ours, gate.theirs, info.writing, words.descriptor, filter.descriptor] + files.map(\.file.descriptor)
        child.closesOthers = true
        child.company = terminal == nil ? .ours : .ownSession
        let all =
            [
                "bwrap", "--args", "\(words.descriptor)", "--info-fd", "\(info.writing)", "--block-fd",
                "\(gate.theirs)",
                "--sync-fd", "\(gate.ours)", "--",
            ] + arguments.command(hasKeys: terminal?.hasKeys == true)
        let started = keeper.run { [child] in
            Result { () throws(SystemError) in try child.start(path, all, environment: Bubblewrap.environment) }
        }
        close(info.writing)
        // The descriptors of these had to stay open until now.
        withExtendedLifetime((files, words, filter)) {}
        gate.handOver()
        switch started {
        case .success(let process): self.process = process
        case .failure(let error): throw .system("start \(path)", error)
        }

        let told = Bubblewrap.everything(from: info.reading, atMost: 4096)
        guard let first = Self.firstProcess(in: told) else {
            kill(process, SIGKILL)
            throw .notReady(Self.reap(process))
        }
        self.first = WatchedFirst(first)
        do throws(SandboxError) {
            tie = try Tie(first)
            guard gate.waitUntilReady(first) else { throw .notReady(0) }
            spaces = try Spaces(of: first)
            if let other = arguments.bound.first(where: { !$0.isHad(by: first) }) {
                throw .refused(path: other.path, why: "was replaced while the sandbox was made: try again")
            }
        } catch {
            self.first.kill()
            // Without its first process, bwrap ends by itself.
            let status = Self.reap(process)
            if case .notReady = error { throw .notReady(status) }
            throw error
        }
    }

    /// Removes an ended process from the system's list, or waits for its end. Returns its status as a shell tells it.
    static func reap(_ process: Int32) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// Reads the number of the first process from what bwrap tells.
    private static func firstProcess(in told: [UInt8]) -> Int32? {
        guard case .object(let members) = try? JSON(told),
            case .number(let number) = members["child-pid"]
        else { return nil }
        return Int32(number)
    }

    /// The filter of system calls.
    private static var filter: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 1024) { room, count in
            count = latchkey_call_filter(room.baseAddress, room.count)
        }
    }

    private static func file(_ bytes: [UInt8]) throws(SandboxError) -> MemoryFile {
        do {
            let file = try MemoryFile(holding: bytes)
            lseek(file.descriptor, 0, SEEK_SET)
            return file
        } catch {
            throw .system("write its files", error)
        }
    }

    private static func pipe() throws(SandboxError) -> Pipe {
        do { return try Pipe() } catch { throw .system("have a pipe", error) }
    }
}
