internal import Glibc
internal import LinuxSystem

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
        /// Another part of this process has collected it.
        case unknown
    }

    /// Starts `command` on `request`, unless somebody besides root and us could have changed it.
    init(_ command: [String], environment: [String: String], request: String) throws(SensorError) {
        guard let path = command.first else { throw .absent("its command is empty") }
        do { try PathTrust.require(path, .file) } catch {
            if case .unreadable = error { throw .absent("\(path) \(error)") }
            throw .untrusted("\(path) \(error)")
        }
        let input = try Self.input(holding: request)
        defer { close(input) }
        let pipe = try Self.pipe()
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
    private static func input(holding request: String) throws(SensorError) -> Int32 {
        guard request.utf8.count <= 4096 else { throw .refused("a name has at most \(Template.longest) bytes") }
        let pipe = try Self.pipe()
        defer { close(pipe.writing) }
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let bytes = Array(request.utf8)
        guard write(pipe.writing, bytes, bytes.count) == bytes.count else {
            close(pipe.reading)
            throw .absent("it cannot be told anything: \(SystemError.last)")
        }
        return pipe.reading
    }

    private static func pipe() throws(SensorError) -> Pipe {
        do { return try Pipe() } catch { throw .absent("no descriptors are left: close some files") }
    }

    private static func start(
        _ path: String, _ command: [String], _ environment: [String: String], input: Int32, output: Int32
    ) throws(SensorError) -> pid_t {
        var child = Child()
        (child.input, child.output, child.errors) = (.descriptor(input), .descriptor(output), .nothing)
        child.closesOthers = true
        child.company = .ownGroup
        let settings = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"].merging(environment) { $1 }
        let variables = settings.map { "\($0.key)=\($0.value)" }
        var tries = 0
        while true {
            do { return try child.start(path, command, environment: variables) } catch {
                // The program that has just written it may still be about to close it.
                if error.code == ETXTBSY && tries < 50 {
                    tries += 1
                    usleep(10_000)
                    continue
                }
                if error.code == ENOSYS {
                    throw .absent("this C library cannot close descriptors for it: glibc 2.34 or newer is needed")
                }
                throw .absent("\(path) cannot be started: \(error)")
            }
        }
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
