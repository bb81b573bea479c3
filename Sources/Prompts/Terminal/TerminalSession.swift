internal import Glibc
internal import LinuxSystem
internal import SodiumKit
internal import Synchronization

/// The reason why a prompt at a terminal has no answer.
enum InterruptionError: Error {
    /// The prompt ended first.
    case over
    /// There is no terminal, or it went away.
    case gone
    case dismissed
    /// The program handled a signal that dismisses the prompt.
    case signaled
    /// The process was stopped and continued: show the prompt again.
    case resumed
    /// There is no guarded memory to read into.
    case noMemory(SodiumError)
}

/// The use of a terminal for one prompt, on one thread.
final class TerminalSession {
    private let descriptor: TerminalDescriptor
    let prompt: Prompt
    private let wake: Int32
    private let mode: TerminalMode
    private var before: (settings: termios, signals: TerminalSignals.Former)?

    private static let isTaken = Atomic(false)

    private init(_ descriptor: consuming TerminalDescriptor, _ prompt: Prompt, _ mode: TerminalMode) {
        self.descriptor = descriptor
        self.prompt = prompt
        self.mode = mode
        wake = prompt.wake
    }

    /// Runs `body` at the terminal at `path` when it is the turn of `prompt`, and restores the terminal afterwards.
    static func run<Value: ~Copyable>(
        at path: String, for prompt: Prompt, _ mode: TerminalMode,
        _ body: (TerminalSession) throws(InterruptionError) -> Value
    ) throws(InterruptionError) -> Value {
        try waitForTurn(prompt)
        defer { isTaken.store(false, ordering: .releasing) }
        let descriptor: TerminalDescriptor
        do {
            descriptor = try TerminalDescriptor(path: path)
        } catch { throw .gone }
        let session = TerminalSession(descriptor, prompt, mode)
        do {
            try session.begin()
            let value = try body(session)
            _ = session.end()
            return value
        } catch {
            session.sayLast(error)
            if case .over = error { session.hearOut() }
            _ = session.end()
            throw error
        }
    }

    private static func waitForTurn(_ prompt: Prompt) throws(InterruptionError) {
        let wake = prompt.wake
        while prompt.ending == nil {
            if isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged { return }
            var waited = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, 50)
        }
        throw .over
    }

    // MARK: - The terminal's settings

    private func begin() throws(InterruptionError) {
        if case .asItIs = mode { return }
        if isInBackground {
            // The system sends this signal itself, but not to a thread that blocks it. Such a thread would change the
            // terminal.
            TerminalSignals.deliver(SIGTTOU)
            if isInBackground { throw .gone }
        }
        guard let signals = TerminalSignals.hold() else { throw .gone }
        var settings = termios()
        guard tcgetattr(descriptor.number, &settings) == 0 else {
            TerminalSignals.letThrough(signals)
            throw .gone
        }
        before = (settings, signals)
        TerminalBefore.remember(settings, of: descriptor.number)
        mode.apply(to: &settings)
        // Discard what was typed ahead: it answers no prompt. TCSAFLUSH would first wait for the output, perhaps for
        // ever.
        guard apply(settings), tcflush(descriptor.number, TCIFLUSH) == 0 else { throw .gone }
    }

    /// True if the terminal is now in the hands of another job.
    private var isInBackground: Bool {
        let group = tcgetpgrp(descriptor.number)
        return group >= 0 && group != getpgrp()
    }

    /// Restores the terminal and then delivers the signals that were held. Returns true if one of them did more than
    /// stop or continue the process.
    private func end(_ first: Int32? = nil) -> Bool {
        guard let (settings, signals) = before else { return false }
        before = nil
        // The program that reads next must not get half a line.
        tcflush(descriptor.number, TCIFLUSH)
        _ = apply(settings)
        TerminalBefore.forget()
        TerminalSignals.letThrough(signals)
        var wasEnding = false
        var signal = first ?? TerminalSignals.next()
        while let number = signal {
            TerminalSignals.deliver(number)
            wasEnding = wasEnding || !TerminalSignals.isAskedAgain(after: number)
            signal = TerminalSignals.next()
        }
        return wasEnding
    }

    /// The silence after which a user who was typing has stopped, in milliseconds.
    private static let silence: Int32 = 1500

    /// Discards the rest of a line that the user was typing when the prompt ended. Otherwise it would be shown, and the next
    /// program would get it: a shell runs it and keeps it in its history.
    private func hearOut() {
        guard case .lines(isEchoed: false) = mode, before != nil else { return }
        var settings = termios()
        guard tcgetattr(descriptor.number, &settings) == 0 else { return }
        // Without whole lines, the beginning of one can be read.
        settings.c_lflag &= ~tcflag_t(ICANON)
        guard apply(settings) else { return }
        var patience: Int32 = 0
        while true {
            var waited = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
            guard poll(&waited, 1, patience) > 0, waited.revents & Int16(POLLIN) != 0 else { return }
            var byte: UInt8 = 0
            guard Glibc.read(descriptor.number, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { return }
            patience = Self.silence
        }
    }

    private func apply(_ settings: termios) -> Bool {
        var settings = settings
        while tcsetattr(descriptor.number, TCSANOW, &settings) != 0 { guard errno == EINTR else { return false } }
        return true
    }

    // MARK: - Waiting

    /// Waits until the terminal can be read or written, as `events` says.
    private func wait(for events: Int32) throws(InterruptionError) {
        let arrivals = before == nil ? -1 : TerminalSignals.arrivals
        while true {
            var waited = (
                pollfd(fd: arrivals, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor.number, events: Int16(events), revents: 0)
            )
            let count = withUnsafeMutableBytes(of: &waited) {
                // Without a descriptor that wakes it, poll has to look at the prompt's ending now and then.
                poll($0.assumingMemoryBound(to: pollfd.self).baseAddress, 3, wake < 0 ? 100 : -1)
            }
            if count < 0 && errno != EINTR { throw .gone }
            if arrivals >= 0, let signal = TerminalSignals.next() { try handOver(signal) }
            if prompt.ending != nil { throw .over }
            guard count > 0 else { continue }
            if waited.2.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { try leave() }
            if waited.2.revents != 0 { return }
        }
    }

    /// Ends the prompt of a terminal that was hung up. The system wakes its readers before it sends them SIGHUP, and a
    /// shell passes the signal on to its jobs even later. The signal decides how the process ends, so this waits for
    /// it, but no longer than a second.
    private func leave() throws(InterruptionError) -> Never {
        let deadline = Deadline(1000)
        while before != nil, deadline.left > 1 {
            var waited = pollfd(fd: TerminalSignals.arrivals, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, deadline.left)
            // A hang-up also brings SIGCONT, which ends nothing.
            if let signal = TerminalSignals.next(), !TerminalSignals.isAskedAgain(after: signal) {
                try handOver(signal)
            }
        }
        throw .gone
    }

    /// True once the terminal was hung up. Its readers then see an end of input, as after Ctrl-D.
    private var isHungUp: Bool {
        var waited = pollfd(fd: descriptor.number, events: 0, revents: 0)
        return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLHUP) != 0
    }

    private func handOver(_ signal: Int32) throws(InterruptionError) {
        let wasEnding = end(signal)
        if wasEnding { throw .signaled }
        try begin()
        // Text that follows begins on its own line.
        try say("\n")
        throw .resumed
    }

    // MARK: - Speaking and hearing

    func say(_ text: String) throws(InterruptionError) {
        let bytes = Array(text.utf8)
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = write(rest)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if errno == EAGAIN {
                try wait(for: POLLOUT)
            } else if errno != EINTR {
                throw .gone
            }
        }
    }

    private func write(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
    }

    /// Writes the reason why the prompt is over, without waiting until the terminal takes it.
    private func sayLast(_ interruption: InterruptionError) {
        let words: String
        switch interruption {
        case .over:
            guard let ending = prompt.ending?.words(whileTyping: mode.isForLines) else { return }
            words = ending
        case .noMemory(let error): words = "(\(error))"
        case .dismissed, .signaled: words = ""
        case .gone, .resumed: return
        }
        _ = write(Array("\n\(words)\n".utf8)[...])
    }

    /// Reads a line of at most `longest` bytes. It also reads the rest of a longer one, and wipes that like the
    /// beginning.
    func readLine(upTo longest: Int) throws(InterruptionError) -> TypedLine {
        var line = try room(longest + 1)
        var count = 0
        var isWhole = true
        while true {
            let got = try read(into: &line, from: count)
            // Ctrl-D. Half a line before it is discarded: the user did not finish it.
            if got == 0 {
                if isHungUp { try leave() }
                throw .dismissed
            }
            count += got
            let isEnded = line.withBytes {
                $0.unsafeLoad(fromByteOffset: count - 1, as: UInt8.self) == UInt8(ascii: "\n")
            }
            if isEnded { return TypedLine(line, count: count - 1, isWhole: isWhole) }
            if count == line.count {
                isWhole = false
                count = 0
            }
        }
    }

    /// Reads keys until one of them ends the prompt, and returns that ending.
    func readKeys(offersFallback: Bool) throws(InterruptionError) -> Prompt.Ending {
        // The user may type a passcode here by mistake, so keys are read into guarded memory, too.
        var keys = try room(64)
        while true {
            let count = try read(into: &keys, from: 0)
            if count == 0 { try leave() }
            if let ending = keys.withBytes({ Self.ending(by: $0.extracting(first: count), offersFallback) }) {
                return ending
            }
        }
    }

    /// Returns the ending that keys ask for. A dismissal among them counts more than Enter.
    private static func ending(by keys: RawSpan, _ offersFallback: Bool) -> Prompt.Ending? {
        let (escape, endOfFile): (UInt8, UInt8) = (0x1B, 4)
        func key(_ place: Int) -> UInt8 { keys.unsafeLoad(fromByteOffset: place, as: UInt8.self) }
        var hasEnter = false
        var place = 0
        while place < keys.byteCount {
            let next = place + 1
            switch key(place) {
            case endOfFile: return .canceled
            case escape:
                if next == keys.byteCount || key(next) == escape { return .canceled }
                // An arrow key sends a sequence that begins with Escape, and other keys can follow it. Ignore the sequence alone.
                place = next
                guard key(place) == UInt8(ascii: "[") else { break }
                repeat { place += 1 } while place < keys.byteCount && !(0x40...0x7E).contains(key(place))
            case UInt8(ascii: "\n"): hasEnter = true
            default: break
            }
            place += 1
        }
        return hasEnter && offersFallback ? .fallback : nil
    }

    private func room(_ count: Int) throws(InterruptionError) -> SecureBytes {
        do {
            return try SecureBytes(count: count)
        } catch { throw .noMemory(error) }
    }

    /// Returns the number of bytes that were read; 0 at the end of input.
    private func read(into bytes: inout SecureBytes, from start: Int) throws(InterruptionError) -> Int {
        while true {
            try wait(for: POLLIN)
            let got = bytes.withMutableBytes {
                Glibc.read(descriptor.number, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if got >= 0 { return got }
            guard errno == EAGAIN || errno == EINTR else { try leave() }
        }
    }
}
