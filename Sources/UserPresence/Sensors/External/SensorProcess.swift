internal import Glibc
internal import LinuxSystem

/// One run of a sensor's command. The command and its process group are killed when this value ends.
///
/// It gets a process group of its own and no descriptors but the first three. Its input is a pipe that already holds
/// the whole request, so that writing can never reach a dead process.
struct SensorProcess: ~Copyable {
    /// The reading end of its output, for polling.
    let output: Int32
    private let process: pid_t

    /// How a process ended.
    enum End: Equatable {
        case status(Int32)
        case signal(Int32)
        /// Another part of this process has collected its end.
        case unknown
    }

    /// Starts `command` on `request`, unless a user other than root and the present one could have changed it.
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

    /// The end of the process; nil while it runs. The system keeps its number, and that of its group, until this value
    /// ends, so neither can belong to another process.
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

    /// Returns a pipe that already holds `request` and its end. The request fits, since a pipe holds at least 4096
    /// bytes.
    private static func input(holding request: String) throws(SensorError) -> Int32 {
        guard request.utf8.count <= 4096 else { throw .refused("a name has at most \(Template.longest) bytes") }
        let pipe = try Self.pipe()
        defer { close(pipe.writing) }
        _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
        let bytes = Array(request.utf8)
        guard write(pipe.writing, bytes, bytes.count) == bytes.count else {
            close(pipe.reading)
            throw .absent("its request cannot be written: \(SystemError.last)")
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
                // The program that has just written the command may not have closed it yet.
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

    /// Kills what is left of the process group and collects the process. A process that the kernel cannot end yet,
    /// because it waits for a broken device, is collected on another thread.
    private static func end(_ process: pid_t) {
        if look(at: process) == .unknown { return }  // The number may belong to another process by now.
        kill(-process, SIGKILL)
        kill(process, SIGKILL)  // It may have moved to another group.
        for _ in 0..<200 {
            let found = waitpid(process, nil, WNOHANG)
            if found == process || (found < 0 && errno != EINTR) { return }
            usleep(found == 0 ? 1000 : 0)
        }
        _ = Supervisor.detach { while waitpid(process, nil, 0) < 0 && errno == EINTR {} }
    }
}
