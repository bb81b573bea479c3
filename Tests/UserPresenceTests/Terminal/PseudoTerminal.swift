import Foundation
import TestSupport
import Testing

/// A terminal whose user is the test.
final class PseudoTerminal: @unchecked Sendable {  // used by one test
    private var master: Int32
    private let slave: Int32
    let path: String
    /// Everything that has been shown.
    private(set) var shown = Data()

    /// A lock for opening a terminal: one at a time, and while no child is started that would inherit it.
    static let opening = NSLock()

    init() throws {
        Self.opening.lock()
        defer { Self.opening.unlock() }
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        try #require(openpty(&master, &slave, &name, nil, nil) == 0)
        for end in [master, slave] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.master = master
        self.slave = slave
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// Hangs up the terminal.
    func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    var text: String { String(decoding: shown, as: UTF8.self) }

    /// Waits until one of `texts` is shown, after the text that was waited for before.
    func wait(for texts: String..., at location: SourceLocation = #_sourceLocation) throws {
        let deadline = Patience.end
        while true {
            for text in texts {
                guard let range = shown[seen...].range(of: Data(text.utf8)) else { continue }
                seen = range.upperBound
                return
            }
            try #require(Date() < deadline, "never shown: \(texts); but: \(self.text)", sourceLocation: location)
            watch(milliseconds: 100)
        }
    }
    private var seen = 0

    /// Reads what is shown for this time.
    func watch(milliseconds: Int32) {
        var waited = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, milliseconds) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &bytes, bytes.count)
        if count > 0 { shown.append(contentsOf: bytes[..<count]) }
    }

    /// Reads what has been shown already.
    func catchUp() { watch(milliseconds: 50) }

    /// Stops or continues the output, as Ctrl-S and Ctrl-Q do.
    func holdUp(_ isHeldUp: Bool) { tcflow(slave, isHeldUp ? TCOOFF : TCOON) }

    /// Returns the line that the next reader of the terminal gets.
    func nextLine() throws -> String {
        var waited = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waited, 1, 20_000) > 0, "no line arrives")
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(slave, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    var settings: Settings {
        var settings = termios()
        tcgetattr(slave, &settings)
        return Settings(
            flags: [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag],
            keys: withUnsafeBytes(of: settings.c_cc) { Array($0) })
    }

    struct Settings: Equatable {
        var flags: [tcflag_t]
        var keys: [UInt8]

        var isEchoed: Bool { flags[3] & tcflag_t(ECHO) != 0 }
    }

    /// Waits until the terminal echoes what is typed, or does not.
    func wait(untilEchoed isEchoed: Bool, _ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Patience.end
        while settings.isEchoed != isEchoed {
            try #require(Date() < deadline, "echo is not \(isEchoed ? "on" : "off")", sourceLocation: location)
            usleep(5000)
        }
    }
}
