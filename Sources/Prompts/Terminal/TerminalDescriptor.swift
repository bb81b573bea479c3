internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// An open terminal with its own file description, so that its flags change for no other reader or writer.
struct TerminalDescriptor: ~Copyable {
    let number: Int32

    init(path: String) throws(TerminalError) {
        // Do not block: a user who stops the output with Ctrl-S must not hold up the end of the prompt.
        let number = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { throw .absent(path: path, code: errno) }
        guard isatty(number) == 1 else {
            close(number)
            throw .noTerminal(path: path)
        }
        self.number = number
    }

    deinit { close(number) }
}

/// The mode of a terminal during a prompt.
enum TerminalMode {
    /// Unchanged; nothing is read.
    case asItIs
    /// Whole lines, with the usual keys for correcting them.
    case lines(isEchoed: Bool)
    /// Single keys, without echo.
    case keys

    init(for content: PromptContent) {
        switch content.kind {
        case .biometry: self = content.isSensorFake ? .lines(isEchoed: true) : .asItIs
        case .companion, .permission: self = .lines(isEchoed: true)
        case .passcode, .formerPasscode, .newPasscode, .applicationPassword, .newApplicationPassword, .recoveryKey,
            .passphrase, .newPassphrase, .newSecret:
            self = .lines(isEchoed: false)
        }
    }

    var isForLines: Bool {
        if case .lines = self { return true }
        return false
    }

    func apply(to settings: inout termios) {
        let echo = tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
        switch self {
        case .asItIs: return
        case .lines(let isEchoed):
            settings.c_lflag |= tcflag_t(ICANON | ISIG)
            if isEchoed { settings.c_lflag |= tcflag_t(ECHO) } else { settings.c_lflag &= ~echo }
        case .keys:
            settings.c_lflag &= ~(tcflag_t(ICANON) | echo)
            settings.c_lflag |= tcflag_t(ISIG)
            withUnsafeMutableBytes(of: &settings.c_cc) {
                $0[Int(VMIN)] = 1
                $0[Int(VTIME)] = 0
            }
        }
        // Enter ends a line, and every other byte arrives as it was typed.
        settings.c_iflag |= tcflag_t(ICRNL)
        settings.c_iflag &= ~tcflag_t(INLCR | IGNCR | ISTRIP)
        settings.c_oflag |= tcflag_t(OPOST | ONLCR)
    }
}

/// The settings to restore if the program exits during a prompt.
enum TerminalBefore {
    private struct State {
        var descriptor: Int32
        var settings: termios
    }

    private static let state = Mutex<State?>(nil)
    private static let isRegistered: Bool = {
        atexit { TerminalBefore.restoreAtExit() } == 0
    }()

    static func remember(_ settings: termios, of descriptor: Int32) {
        _ = isRegistered
        state.withLock { $0 = State(descriptor: descriptor, settings: settings) }
    }

    static func forget() { state.withLock { $0 = nil } }

    private static func restoreAtExit() {
        // A signal handler that calls exit may have interrupted the thread that holds the lock.
        _ = state.withLockIfAvailable { state in
            guard var before = state else { return }
            tcflush(before.descriptor, TCIFLUSH)
            tcsetattr(before.descriptor, TCSANOW, &before.settings)
        }
    }
}
