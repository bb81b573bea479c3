internal import AgentProtocol
internal import Courier
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LoanRules
internal import PlainText
internal import Synchronization

/// A program that runs as its owner, without a sandbox.
struct MachinePlace: LoanPlace {
    private let command: [String]
    private let environment: [(name: String, value: String)]
    private let addresses: LoanAddresses
    let clients: ClientRules

    /// Prepares a command with these variables beside those of this process.
    init(
        _ command: [String], _ environment: [(name: String, value: String)], at addresses: LoanAddresses,
        token: LoanToken
    ) {
        (self.command, self.environment, self.addresses) = (command, environment, addresses)
        // Every user of the machine can connect to its loopback.
        clients = ClientRules(.loopback(PathTrust.thisUser), token: token)
    }

    var words: [String] { [] }

    func listener(named name: String, _ number: Int) throws -> Int32 { try addresses.machinePort(number) }

    func run() throws -> Int32 {
        let signals: EndingSignals
        do throws(SystemError) { signals = try EndingSignals() } catch {
            throw AgentError.system("signals", error.code)
        }
        let process = StartedProcess(try start())
        Supervisor.detach {
            while true {
                // A terminal sends the others to the program too.
                let signal = signals.wait()
                if signal == SIGTERM || signal == SIGHUP { process.send(signal) }
            }
        }
        return process.wait()
    }

    private func start() throws -> Int32 {
        let names = Set(environment.map { "\($0.name)=" })
        let kept = Child.environmentHere.filter { entry in
            let name = String(decoding: entry.prefix { $0 != 0x3D }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "="
            return !names.contains(name)
        }
        let added = environment.map { Array("\($0.name)=\($0.value)".utf8CString) }
        let started = CrashSafety.withLimitsOfBirth {
            Result { () throws(SystemError) in
                try Child().start(command[0], isSearched: true, command, environment: kept + added)
            }
        }
        switch started {
        case .success(let process): return process
        case .failure(let error):
            throw CommandError(
                "\(Terminal.word(command[0])): \(error.code == ENOENT ? "there is no such command" : "\(error)")",
                status: error.code == ENOENT ? 127 : 126)
        }
    }

    func end() {}
}

/// A child of this process. Once it is reaped, its number may be another one's.
private final class StartedProcess: Sendable {
    private let number: Int32
    private let status = Mutex<Int32?>(nil)

    init(_ number: Int32) { self.number = number }

    /// Sends a signal, unless the process has ended.
    func send(_ signal: Int32) { status.withLock { if $0 == nil { kill(number, signal) } } }

    /// Waits for the end. Returns the exit status; for a process that a signal ended, 128 and the number of the signal.
    func wait() -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        return status.withLock { ended in
            var status: Int32 = 0
            while waitpid(number, &status, 0) < 0 && errno == EINTR {}
            ended = status
            return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        }
    }
}
