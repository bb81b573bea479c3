internal import Glibc
internal import PathTrust

/// One run of a sensor's command, with everything that it starts, ended when its owner lets go of it.
///
/// It has a process group of its own, no descriptors but the first three, and a file for its input that holds the whole
/// request already, so that nobody writes to a process that may be dead.
struct SensorProcess: ~Copyable {
    /// What it says; to be polled.
    let output: Int32
    private let process: pid_t

    /// How a process ended.
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
        /// Somebody else has learnt it in our place.
        case unknown
    }

    /// Starts `command` on `request`, unless somebody besides root and us could have changed it.
    init(_ command: [String], environment: [String: String], request: String) throws(SensorFailure) {
        guard let path = command.first else { throw .absent("its command is empty") }
        do { try PathTrust.require(path, .file) } catch {
            if case .unreadable = error { throw .absent("\(path) \(error)") }
            throw .untrusted("\(path) \(error)")
        }
        let input = try Self.input(holding: request)
        defer { close(input) }
        guard let pipe = GNU.pipe() else { throw .absent("no descriptors are left: close some files") }
        defer { close(pipe.writing) }
        do {
            process = try Self.start(path, command, environment, input: input, output: pipe.writing)
        } catch {
            close(pipe.reading)
            throw error
        }
        output = pipe.reading
        _ = fcntl(output, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(output)
        Self.end(process)
    }

    /// How it ended; nil as long as it has not. It stays known to the system until its owner lets go of it, so that its number
    /// and that of its group are nobody else's.
    var end: End? { Self.look(at: process) }

    private static func look(at process: pid_t) -> End? {
        var info = siginfo_t()
        while waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) < 0 {
            if errno != EINTR { return .unknown }
        }
        guard info.si_signo == SIGCHLD else { return nil }
        let status = info._sifields._sigchld.si_status
        return info.si_code == Int32(CLD_EXITED) ? .status(status) : .signal(status)
    }

    // MARK: - Starting

    /// A pipe that already holds `request` and its end. It fits: a pipe takes 4096 bytes at once.
    private static func input(holding request: String) throws(SensorFailure) -> Int32 {
        guard request.utf8.count <= 4096 else { throw .refused("a name has at most \(Template.longest) bytes") }
        guard let pipe = GNU.pipe() else { throw .absent("no descriptors are left: close some files") }
        defer { close(pipe.writing) }
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let bytes = Array(request.utf8)
        guard write(pipe.writing, bytes, bytes.count) == bytes.count else {
            close(pipe.reading)
            throw .absent("it cannot be told anything: \(String(cString: strerror(errno)))")
        }
        return pipe.reading
    }

    private static func start(
        _ path: String, _ command: [String], _ environment: [String: String], input: Int32, output: Int32
    ) throws(SensorFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        guard GNU.closeOthers(in: &actions) else {
            throw .absent("this C library cannot close descriptors for it: glibc 2.34 or newer is needed")
        }

        // A group of its own, and signals as they are at birth: what we ignore or hold back is none of its business.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let settings = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        let words = CStrings(command)
        let variables = CStrings(settings.map { "\($0.key)=\($0.value)" })
        var started: pid_t = 0
        let code = withExtendedLifetime((words, variables)) {
            var code = posix_spawn(&started, path, &actions, &attributes, words.pointers, variables.pointers)
            // Whoever has just written it may still be about to close it.
            for _ in 0..<50 where code == ETXTBSY {
                usleep(10_000)
                code = posix_spawn(&started, path, &actions, &attributes, words.pointers, variables.pointers)
            }
            return code
        }
        guard code == 0 else { throw .absent("\(path) cannot be started: \(String(cString: strerror(code)))") }
        return started
    }

    /// What a program is started with; the strings live as long as this does.
    private final class CStrings {
        let pointers: [UnsafeMutablePointer<CChar>?]

        init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

        deinit { for pointer in pointers { free(pointer) } }
    }

    // MARK: - Ending

    /// Kills whatever of it is left, and learns of its end. A process that even the kernel cannot end now, since it waits for a
    /// broken device, is waited for elsewhere.
    private static func end(_ process: pid_t) {
        if look(at: process) == .unknown { return }  // the number may be somebody else's by now
        kill(-process, SIGKILL)
        kill(process, SIGKILL)  // in case it has gone over to another group
        for _ in 0..<200 {
            let found = waitpid(process, nil, WNOHANG)
            if found == process || (found < 0 && errno != EINTR) { return }
            usleep(found == 0 ? 1000 : 0)
        }
        _ = Supervisor.detach { while waitpid(process, nil, 0) < 0 && errno == EINTR {} }
    }
}
