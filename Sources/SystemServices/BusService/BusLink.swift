internal import CSystemd
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// A program on a bus, as the bus describes it.
package struct BusCaller: Hashable, Sendable {
    /// The name that the bus gave to its connection.
    package let connection: String
    /// The number of its process; 0 if the bus does not know it.
    package let process: Int32
}

/// A call of a method of this program. It belongs to the thread of the bus.
package final class BusCall {
    /// The message. Its arguments can be read only while the handler gets the call.
    package private(set) var message: BusMessage
    package let caller: BusCaller

    init(_ message: BusMessage, from caller: BusCaller) { (self.message, self.caller) = (message, caller) }

    /// Frees the arguments, which can have 128 MiB. The call can still be answered.
    func dropArguments(_ bus: SystemBus) {
        // If there is no memory for the short message, the long one stays.
        if let short = try? message.withoutArguments(bus) { message = short }
    }
}

extension BusMessage {
    /// Returns a call to which an answer can be made as to this one.
    fileprivate func withoutArguments(_ bus: SystemBus) throws(BusError) -> BusMessage {
        var cookie: UInt64 = 0
        try BusError.check(sd_bus_message_get_cookie(raw, &cookie))
        var made: OpaquePointer?
        try BusError.check(sd_bus_message_new_method_call(bus.bus, &made, nil, "/", nil, member))
        guard let made, let sender else { throw BusError(code: ENOMEM) }
        let short = BusMessage(made)
        try BusError.check(sd_bus_message_set_sender(short.raw, sender))
        try BusError.check(sd_bus_message_set_expect_reply(short.raw, sd_bus_message_get_expect_reply(raw)))
        try BusError.check(sd_bus_message_seal(short.raw, cookie, 0))
        return short
    }
}

/// A connection on which a program serves calls. It belongs to the thread of the bus.
package final class BusLink {
    private let bus: SystemBus
    private let mailbox: BusMailbox
    private var replies: [UInt64: (BusMessage) -> Void] = [:]
    private var continuations: [UInt64: () -> Void] = [:]
    private var timers: [UInt64: (due: ContinuousClock.Instant, action: () -> Void)] = [:]
    private var lastTimer: UInt64 = 0

    init(_ bus: SystemBus, _ mailbox: BusMailbox) { (self.bus, self.mailbox) = (bus, mailbox) }

    // MARK: - Sending

    /// Answers a call with the values that `write` appends.
    ///
    /// If `isSecret`, the buffer of the answer is wiped once it is sent. sd-bus moves that buffer while it grows, so
    /// copies of what was appended before can stay in freed memory; and the bus has its own copy, which it does not
    /// wipe. Secrets that must not stay anywhere have to be encrypted before they are appended.
    package func reply(
        to call: BusCall, isSecret: Bool = false, _ write: (BusWriter) throws -> Void = { _ in }
    ) {
        do {
            var raw: OpaquePointer?
            try BusError.check(sd_bus_message_new_method_return(call.message.raw, &raw))
            guard let raw else { throw BusError(code: ENOMEM) }
            let answer = BusMessage(raw)
            if isSecret { answer.wipeWhenFreed() }
            try write(BusWriter(answer))
            try bus.send(answer)
        } catch {
            let words = (error as? BusError)?.words ?? "it could not be made"
            refuse(call, "org.freedesktop.DBus.Error.Failed", "The answer could not be sent: \(words).")
        }
    }

    /// Answers a call with an error.
    package func refuse(_ call: BusCall, _ name: String, _ words: String) {
        refuse(call.message, name, words)
    }

    func refuse(_ message: BusMessage, _ name: String, _ words: String) {
        name.withCString { name in
            words.withCString { words in
                var error = sd_bus_error(name: name, message: words, _need_free: 0)
                // If the bus is lost, the loop finds out by itself.
                sd_bus_reply_method_error(message.raw, &error)
            }
        }
    }

    /// Emits a signal, to all or to one connection.
    package func emit(
        _ path: String, _ interface: String, _ member: String, to connection: String? = nil,
        _ write: (BusWriter) throws -> Void
    ) {
        do {
            var raw: OpaquePointer?
            try BusError.check(sd_bus_message_new_signal(bus.bus, &raw, path, interface, member))
            guard let raw else { throw BusError(code: ENOMEM) }
            let signal = BusMessage(raw)
            if let connection { try BusError.check(sd_bus_message_set_destination(signal.raw, connection)) }
            try write(BusWriter(signal))
            try bus.send(signal)
        } catch {
            // Nothing waits for a signal. If the bus is lost, the loop finds out by itself.
        }
    }

    /// Calls another program. `then` gets its reply, which can be an error.
    func call(_ call: SystemBus.Call, then: @escaping (BusMessage) -> Void) throws(BusError) {
        replies[try bus.send(call)] = then
    }

    /// Calls the bus itself, to request a name.
    func request(name: String, then: @escaping (BusMessage) -> Void) throws(BusError) {
        var raw: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(
                bus.bus, &raw, SystemBus.daemon, "/org/freedesktop/DBus", SystemBus.daemon, "RequestName"))
        guard let raw else { throw BusError(code: ENOMEM) }
        let message = BusMessage(raw)
        let writer = BusWriter(message)
        try writer.append(.text(name))
        // The name stays with the program that owns it, and this one waits in the queue of the bus.
        try writer.append(.number(0))
        replies[try bus.send(message)] = then
    }

    /// Hands a reply to the closure that waits for it. Returns false if it is not a reply.
    func deliver(_ message: BusMessage) -> Bool {
        guard let cookie = message.repliesTo else { return false }
        // Any program can send a reply of any number. Only the bus itself is called here.
        if message.sender == SystemBus.daemon { replies.removeValue(forKey: cookie)?(message) }
        return true
    }

    // MARK: - Working elsewhere

    /// Runs `work` on a thread of its own, and then `then` on this one with its result. Returns false if this process has no threads
    /// left; then neither runs.
    package func perform<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then: @escaping (Value) -> Void
    ) -> Bool {
        let slot = Slot<Value>()
        let (mailbox, number) = (mailbox, mailbox.nextNumber())
        continuations[number] = { if let value = slot.take() { then(value) } }
        let isStarted = Supervisor.detach {
            // A signal belongs to other threads; writing to a closed pipe is an error and no end here.
            _ = SignalSet.all.hold()
            slot.put(work())
            mailbox.post(.finished(number))
        }
        if !isStarted { continuations[number] = nil }
        return isStarted
    }

    /// Frees the arguments of a call that waits for its answer.
    func dropArguments(of call: BusCall) { call.dropArguments(bus) }

    func finish(_ number: UInt64) { continuations.removeValue(forKey: number)?() }

    /// Closes the connection, and forgets everything that waits. What still holds the link can send nothing any more.
    func end() {
        (replies, continuations, timers) = ([:], [:], [:])
        sd_bus_close(bus.bus)
    }

    // MARK: - Timers

    /// Runs `action` on this thread later. Returns a number to cancel it by.
    package func after(milliseconds: Int, _ action: @escaping () -> Void) -> UInt64 {
        lastTimer += 1
        timers[lastTimer] = (.now + .milliseconds(milliseconds), action)
        return lastTimer
    }

    package func cancel(timer: UInt64) { timers[timer] = nil }

    func runDueTimers() {
        if timers.isEmpty { return }
        let now = ContinuousClock.now
        for (number, timer) in timers where timer.due <= now {
            // An earlier action can have canceled this one.
            timers.removeValue(forKey: number)?.action()
        }
    }

    /// The time until the next timer, in milliseconds rounded up; -1 if there is none.
    var pause: Int32 {
        guard let next = timers.values.map({ $0.due }).min() else { return -1 }
        return Int32(clamping: max(0, Int64(((next - .now) / .milliseconds(1)).rounded(.up))))
    }
}

/// A value that a worker hands over.
private final class Slot<Value: Sendable>: Sendable {
    private let value = Mutex(Value?.none)

    func put(_ new: Value) { value.withLock { $0 = new } }
    func take() -> Value? { value.withLock { $0.take() } }
}

/// The letters of other threads to the thread of the bus.
final class BusMailbox: Sendable {
    enum Letter: Sendable {
        /// The work of this number is done.
        case finished(UInt64)
        /// Something to run.
        case job(@Sendable (any BusHandler) -> Void)
    }

    private struct State {
        var letters: [Letter] = []
        var isOpen = false
        var number: UInt64 = 0
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func wakeBy(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// Accepts letters from now on.
    func open() { state.withLock { $0.isOpen = true } }

    /// Drops all letters, and those that come before it is open again: without a connection, nothing reads them.
    func close() {
        // The letters are freed outside the lock: a closure can own something whose end posts a letter.
        let dropped = state.withLock { state in
            state.isOpen = false
            defer { state.letters = [] }
            return state.letters
        }
        withExtendedLifetime(dropped) {}
    }

    /// True if no letter waits.
    var isEmpty: Bool { state.withLock { $0.letters.isEmpty } }

    func nextNumber() -> UInt64 {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    func post(_ letter: Letter) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            guard state.isOpen else { return nil }
            state.letters.append(letter)
            return state.wake
        }
        wake?()
    }

    /// Takes the oldest letters.
    func take(atMost limit: Int) -> [Letter] {
        state.withLock { state in
            let taken = Array(state.letters.prefix(limit))
            state.letters.removeFirst(taken.count)
            return taken
        }
    }
}
