import Foundation
import TestSupport
import Testing

/// The built binary, or a shell that runs it, at a terminal of its own. The test is the user at the terminal.
final class CommandAtTerminal {
    /// The target of an input or output stream.
    enum Stream {
        case terminal, nowhere, closed
        case descriptor(Int32)
    }

    let process: pid_t
    private var master: Int32
    private let slave: Int32
    private var shownBytes = Data()
    private var seen = 0
    private var isOver = false
    private var isMute = false

    /// A lock, so that no program that another thread starts inherits a terminal.
    static let starting = NSLock()
    /// The settings of the terminal before the command started.
    let settingsAtFirst: [UInt8]

    init(
        _ arguments: [String], program: String = Command.binary.path, environment: [String: String],
        rows: UInt16 = 24, columns: UInt16 = 80, input: Stream = .terminal, output: Stream = .terminal,
        errors: Stream = .terminal
    ) throws {
        Self.starting.lock()
        defer { Self.starting.unlock() }
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        // The members of a structure of C belong to whichever module was loaded first, so they are not named here.
        var size: [UInt16] = [rows, columns, 0, 0]
        let isOpen = size.withUnsafeMutableBytes {
            openpty(&master, &slave, &name, nil, $0.baseAddress?.assumingMemoryBound(to: winsize.self)) == 0
        }
        try #require(isOpen)
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (self.master, self.slave) = (master, slave)
        settingsAtFirst = Self.settings(of: slave)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens becomes its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, 9, name, O_RDWR, 0)
        for (number, stream) in [input, output, errors].enumerated() {
            let number = Int32(number)
            switch stream {
            case .terminal: posix_spawn_file_actions_adddup2(&actions, 9, number)
            case .nowhere: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            case .closed:
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
                posix_spawn_file_actions_addclose(&actions, number)
            case .descriptor(let other): posix_spawn_file_actions_adddup2(&actions, other, number)
            }
        }
        posix_spawn_file_actions_addclose(&actions, 9)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        let newSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which the module of the C library leaves out
        posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        let plain = ["TERM": "dumb", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"]
        let all = Command.environment(plain.merging(environment) { $1 })
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var started: pid_t = 0
        let code = posix_spawn(&started, program, &actions, &attributes, &words, &variables)
        process = started
        isOver = code != 0
        try #require(code == 0, "\(program) cannot be started")
    }

    deinit {
        if !isOver {
            kill(process, SIGKILL)
            _ = waitForEnd()
        }
        hangUp()
        close(slave)
    }

    /// Everything that the terminal has shown.
    var shown: String { String(decoding: shownBytes, as: UTF8.self).replacing("\r\n", with: "\n") }

    /// Closes the terminal, which hangs up on the command.
    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    func type(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until `text` is shown, after the text of the call before.
    func wait(for text: String, at location: SourceLocation = #_sourceLocation) throws {
        let deadline = Patience.end
        while true {
            if let range = shownBytes[seen...].range(of: Data(text.utf8)) {
                seen = range.upperBound
                return
            }
            try #require(
                Date() < deadline && !(isMute && hasEnded), "never shown: \(text); but: \(shown)",
                sourceLocation: location)
            watch(milliseconds: 50)
        }
    }

    /// The text that the last wait ended at.
    private(set) var lastSeen = ""

    /// Waits until one of `texts` is shown, after the text of the call before. The one that comes first counts.
    func wait(forAnyOf texts: [String], at location: SourceLocation = #_sourceLocation) throws {
        let deadline = Patience.end
        while true {
            let found = texts.compactMap { text in
                shownBytes[seen...].range(of: Data(text.utf8)).map { (text, $0) }
            }
            if let (text, range) = found.min(by: { $0.1.lowerBound < $1.1.lowerBound }) {
                (seen, lastSeen) = (range.upperBound, text)
                return
            }
            try #require(
                Date() < deadline && !(isMute && hasEnded), "never shown: \(texts); but: \(shown)",
                sourceLocation: location)
            watch(milliseconds: 50)
        }
    }

    /// Waits for each question in turn, and types its answer. The question for a part of a recovery key may stay open:
    /// ``end()`` skips it.
    func answer(_ dialogue: [(question: String, answer: String)], at location: SourceLocation = #_sourceLocation) throws
    {
        for (question, answer) in dialogue {
            try wait(for: question, at: location)
            type(answer)
        }
    }

    /// Waits until the settings of the terminal differ from `settings`, because the command reads single keys.
    func wait(untilOtherThan settings: [UInt8], at location: SourceLocation = #_sourceLocation) throws {
        let deadline = Patience.end
        while self.settings == settings {
            try #require(Date() < deadline, "nobody listens: \(shown)", sourceLocation: location)
            watch(milliseconds: 5)
        }
    }

    private func watch(milliseconds: Int32) {
        var waited = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, milliseconds) > 0 else {
            isMute = true
            return
        }
        isMute = false
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &bytes, bytes.count)
        if count > 0 { shownBytes.append(contentsOf: bytes[..<count]) } else { isMute = true }
    }

    private var hasEnded: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Waits for the end. Returns the exit status, or minus the number of the signal that ended the command.
    func end() -> Int32 {
        let status = waitForEnd()
        while !isMute && master >= 0 { watch(milliseconds: 0) }
        return status
    }

    /// The end of the question for a part of a new recovery key.
    static let partQuestion = "or press Enter to skip this: "

    private func waitForEnd() -> Int32 {
        var status: Int32 = 0
        let deadline = Patience.end
        while waitpid(process, &status, WNOHANG) == 0 {
            if let asked = shownBytes[seen...].range(of: Data(Self.partQuestion.utf8)) {
                seen = asked.upperBound
                type("\n")
            }
            if Date() > deadline { kill(process, SIGKILL) }
            if master >= 0 { watch(milliseconds: 2) } else { usleep(2000) }
        }
        isOver = true
        isMute = false
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// The settings of the terminal.
    var settings: [UInt8] { Self.settings(of: slave) }

    private static func settings(of terminal: Int32) -> [UInt8] {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return withUnsafeBytes(of: settings.c_iflag) { Array($0) } + withUnsafeBytes(of: settings.c_oflag) { Array($0) }
            + withUnsafeBytes(of: settings.c_cflag) { Array($0) } + withUnsafeBytes(of: settings.c_lflag) { Array($0) }
            + withUnsafeBytes(of: settings.c_cc) { Array($0) }
    }
}
