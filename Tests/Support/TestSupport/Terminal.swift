package import Foundation
package import Testing

/// A terminal whose user is the test.
package class Terminal: @unchecked Sendable {  // used by one test
    private(set) var master: Int32
    private let slave: Int32
    /// The path of the device.
    package let path: String
    /// The settings before anything used the terminal.
    package let settingsAtFirst: Settings
    /// Every byte that has been shown, unless ``takeText()`` took it.
    package private(set) var shownBytes = Data()
    private var seen = 0
    /// True if the last look found nothing new.
    private(set) var isMute = false

    /// A lock for opening a terminal: one at a time, and while no child is started that would inherit it.
    static let opening = NSLock()

    /// Opens a terminal of this size.
    package init(rows: UInt16 = 24, columns: UInt16 = 80) throws {
        Self.opening.lock()
        defer { Self.opening.unlock() }
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
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        settingsAtFirst = Settings(of: slave)
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// Everything that the terminal has shown, unless ``takeText()`` took it.
    package var shown: String { String(decoding: shownBytes, as: UTF8.self).replacing("\r\n", with: "\n") }

    /// The same, with the ends of lines as the terminal got them.
    package var text: String { String(decoding: shownBytes, as: UTF8.self) }

    /// Returns what has been shown since the last call.
    package func takeText() -> String {
        defer { (shownBytes, seen) = (Data(), 0) }
        return shown
    }

    /// Hangs up the terminal.
    package func hangUp() {
        if master >= 0 { close(master) }
        master = -1
    }

    /// Types a text.
    package func type(_ text: String) { type(Array(text.utf8)) }

    /// Types bytes.
    package func type(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// True if nothing will be shown any more.
    var isOver: Bool { false }

    /// Waits until one of `texts` is shown, after the text of the call before. Returns the one that comes first.
    @discardableResult
    package func wait(forAnyOf texts: [String], at location: SourceLocation = #_sourceLocation) throws -> String {
        let deadline = Patience.end
        while true {
            let found = texts.compactMap { text in
                shownBytes[seen...].range(of: Data(text.utf8)).map { (text, $0) }
            }
            if let (text, range) = found.min(by: { $0.1.lowerBound < $1.1.lowerBound }) {
                seen = range.upperBound
                return text
            }
            try #require(
                Date() < deadline && !(isMute && isOver), "never shown: \(texts); but: \(shown)",
                sourceLocation: location)
            watch(milliseconds: 50)
        }
    }

    /// Returns true if `text` has been shown after the text of the call before.
    func skip(_ text: String) -> Bool {
        guard let range = shownBytes[seen...].range(of: Data(text.utf8)) else { return false }
        seen = range.upperBound
        return true
    }

    /// Waits until one of `texts` is shown, after the text of the call before.
    package func wait(for texts: String..., at location: SourceLocation = #_sourceLocation) throws {
        try wait(forAnyOf: texts, at: location)
    }

    /// Waits for each question in turn, and types its answer.
    package func answer(
        _ dialogue: [(question: String, answer: String)], at location: SourceLocation = #_sourceLocation
    ) throws {
        for (question, answer) in dialogue {
            try wait(for: question, at: location)
            type(answer)
        }
    }

    /// Waits until the settings satisfy `condition`.
    package func wait(
        until condition: (Settings) -> Bool, at location: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = Patience.end
        while !condition(settings) {
            try #require(Date() < deadline, "the settings stay: \(shown)", sourceLocation: location)
            watch(milliseconds: 5)
        }
    }

    /// Reads what is shown in this time, or less if something is.
    package func watch(milliseconds: Int32) {
        var waited = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waited, 1, milliseconds) > 0 else {
            isMute = true
            return
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(master, &bytes, bytes.count)
        isMute = count <= 0
        if count > 0 { shownBytes.append(contentsOf: bytes[..<count]) }
    }

    /// Reads all that has been shown already, or is in this time.
    package func catchUp(milliseconds: Int32 = 50) {
        watch(milliseconds: milliseconds)
        while !isMute && master >= 0 { watch(milliseconds: 0) }
    }

    /// Stops or continues the output, as Ctrl-S and Ctrl-Q do.
    package func holdUp(_ isHeldUp: Bool) { tcflow(slave, isHeldUp ? TCOOFF : TCOON) }

    /// Returns the line that the next reader of the terminal gets.
    package func nextLine() throws -> String {
        var waited = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waited, 1, 20_000) > 0, "no line arrives")
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(slave, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }

    /// The settings of the terminal.
    package var settings: Settings { Settings(of: slave) }

    /// The settings of a terminal.
    package struct Settings: Equatable {
        private var flags: [tcflag_t]
        private var keys: [UInt8]

        fileprivate init(of terminal: Int32) {
            var settings = termios()
            tcgetattr(terminal, &settings)
            flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
            keys = withUnsafeBytes(of: settings.c_cc) { Array($0) }
        }

        /// True if what is typed is shown.
        package var isEchoed: Bool { flags[3] & tcflag_t(ECHO) != 0 }
    }
}
