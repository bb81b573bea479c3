internal import CSystemd
internal import Glibc
internal import LinuxSystem

/// The bus is not available or was lost, or the program that was called reports an error.
package struct BusError: Error {
    /// The system's error number.
    package let code: Int32
    /// The name and text of the error that the called program reports; nil if the bus itself failed.
    package var reported: (name: String, words: String)?

    package init(code: Int32, reported: (name: String, words: String)? = nil) {
        self.code = code
        self.reported = reported
    }

    /// The number of the error that an argument is larger than its reader allows.
    package static let tooLarge = E2BIG
    /// The number of the error if a reply did not come in time.
    package static let timedOut = ETIMEDOUT
    /// The number of the error if the wait was ended.
    package static let ended = ECANCELED

    /// Returns the result of a function of sd-bus, or throws if it reports an error.
    @discardableResult
    static func check(_ result: Int32) throws(BusError) -> Int32 {
        if result < 0 { throw BusError(code: -result) }
        return result
    }

    package var words: String { reported?.words ?? SystemError(code).description }
}

/// A connection to a bus. Only the thread that made it may use it.
package final class SystemBus {
    let bus: OpaquePointer
    /// The messages that arrived while a reply was awaited, oldest first.
    private var kept: [BusMessage] = []

    /// The address of the system bus, whatever the environment says. Only root can listen there.
    package static let systemAddress = "unix:path=/run/dbus/system_bus_socket"
    /// The largest number of messages that are kept. Any program on the bus can send some.
    private static let mostKept = 1000

    /// Creates a connection to the bus at `address`, or to the one that the environment names as the system's. It
    /// connects while messages are fetched.
    package init(address: String?) throws(BusError) {
        var made: OpaquePointer?
        if let address {
            try BusError.check(sd_bus_new(&made))
            do {
                try BusError.check(sd_bus_set_address(made, address))
                try BusError.check(sd_bus_set_bus_client(made, 1))
                try BusError.check(sd_bus_start(made))
            } catch {
                sd_bus_unref(made)
                throw error
            }
        } else {
            try BusError.check(sd_bus_open_system(&made))
        }
        guard let made else { throw BusError(code: ENOMEM) }
        bus = made
    }

    /// Creates a connection to the bus of the user's session, as the environment names it.
    package init(ofSession: Void) throws(BusError) {
        var made: OpaquePointer?
        try BusError.check(sd_bus_open_user(&made))
        guard let made else { throw BusError(code: ENOMEM) }
        bus = made
    }

    deinit { sd_bus_close_unref(bus) }

    /// A call of a method on the bus, with its text arguments.
    package struct Call {
        var destination: String
        var path: String
        var interface: String
        var method: String
        var arguments: [String]

        package init(destination: String, path: String, interface: String, method: String, arguments: [String] = []) {
            self.destination = destination
            self.path = path
            self.interface = interface
            self.method = method
            self.arguments = arguments
        }

        package init(bus method: String, _ arguments: [String]) {
            self.init(
                destination: SystemBus.daemon, path: "/org/freedesktop/DBus", interface: SystemBus.daemon,
                method: method, arguments: arguments)
        }
    }

    /// The name under which the bus itself sends and answers.
    package static let daemon = "org.freedesktop.DBus"

    /// Sends a call, and returns the number that its reply will carry.
    package func send(_ call: Call) throws(BusError) -> UInt64 {
        try send(try message(call))
    }

    /// Sends a message, and returns the number that its reply will carry.
    @discardableResult
    func send(_ message: BusMessage) throws(BusError) -> UInt64 {
        var cookie: UInt64 = 0
        try BusError.check(sd_bus_send(bus, message.raw, &cookie))
        return cookie
    }

    /// Sends a call and waits for its reply. Messages that arrive meanwhile are kept.
    ///
    /// - Throws: ``BusError`` if the called program reports an error, if there is no reply before `deadline`, or if the
    ///   other end of `wake` is closed.
    package func reply(
        to call: Call, until deadline: ContinuousClock.Instant, unless wake: Int32 = -1
    ) throws(BusError) -> BusMessage {
        try reply(to: message(call), of: call.destination, until: deadline, unless: wake)
    }

    /// Sends a call of the program `destination` and waits for its reply, as for a call with text arguments.
    func reply(
        to call: BusMessage, of destination: String, until deadline: ContinuousClock.Instant, unless wake: Int32 = -1
    ) throws(BusError) -> BusMessage {
        let cookie = try send(call)
        while true {
            while let message = try fetch() {
                if message.repliesTo == cookie, Self.isReply(message, from: destination) {
                    if let error = message.error { throw BusError(code: EREMOTEIO, reported: error) }
                    return message
                }
                if kept.count >= Self.mostKept { throw BusError(code: ENOBUFS) }
                kept.append(message)
            }
            try wait(until: deadline, unless: wake)
        }
    }

    /// Returns true if the sender of a reply is the called program, or the bus, which reports that the program is gone. A
    /// well-known name stands for the program's own.
    private static func isReply(_ message: BusMessage, from destination: String) -> Bool {
        !destination.hasPrefix(":") && destination != daemon || [destination, daemon].contains(message.sender)
    }

    /// Returns the next message, and waits for it until `deadline`.
    package func next(until deadline: ContinuousClock.Instant, unless wake: Int32) throws(BusError) -> BusMessage {
        while true {
            if let message = try next() { return message }
            try wait(until: deadline, unless: wake)
        }
    }

    private func wait(until deadline: ContinuousClock.Instant, unless wake: Int32) throws(BusError) {
        let left = (deadline - .now) / .milliseconds(1)
        if left <= 0 { throw BusError(code: BusError.timedOut) }
        // A wait ends at the deadline at the latest, and then the caller's loop comes back here.
        if try !wait(unless: wake, atMost: Int32(clamping: Int64(left.rounded(.up)))) {
            throw BusError(code: BusError.ended)
        }
    }

    /// Returns a call as a message, which more arguments can be appended to.
    func message(_ call: Call) throws(BusError) -> BusMessage {
        var raw: OpaquePointer?
        try BusError.check(
            sd_bus_message_new_method_call(bus, &raw, call.destination, call.path, call.interface, call.method))
        guard let raw else { throw BusError(code: ENOMEM) }
        let message = BusMessage(raw)
        for argument in call.arguments {
            try BusError.check(sd_bus_message_append_basic(message.raw, BusMessage.text, argument))
        }
        return message
    }

    /// Returns the next message that has arrived; nil if there is none.
    func next() throws(BusError) -> BusMessage? { kept.isEmpty ? try fetch() : kept.removeFirst() }

    private func fetch() throws(BusError) -> BusMessage? {
        while true {
            var raw: OpaquePointer?
            if try BusError.check(sd_bus_process(bus, &raw)) == 0 { return nil }
            if let raw { return BusMessage(raw) }
        }
    }

    /// Waits until there may be a message, or for `limit` milliseconds. Returns false if the other end of `wake` was
    /// closed.
    func wait(unless wake: Int32, atMost limit: Int32 = -1) throws(BusError) -> Bool {
        var waited = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: try BusError.check(sd_bus_get_fd(bus)),
                events: Int16(truncatingIfNeeded: try BusError.check(sd_bus_get_events(bus))), revents: 0),
        ]
        var deadline: UInt64 = 0
        try BusError.check(sd_bus_get_timeout(bus, &deadline))
        let pause = Self.milliseconds(until: deadline)
        let shorter = pause < 0 ? limit : limit < 0 ? pause : min(pause, limit)
        if poll(&waited, nfds_t(waited.count), shorter) < 0, errno != EINTR {
            throw BusError(code: errno)
        }
        return waited[0].revents == 0
    }

    /// Returns the time until `deadline` in milliseconds, rounded up, as `poll` expects it.
    private static func milliseconds(until deadline: UInt64) -> Int32 {
        if deadline == .max { return -1 }
        let now = UInt64(SystemClock.awake.nanoseconds / 1000)
        return deadline <= now ? 0 : Int32(clamping: (deadline - now + 999) / 1000)
    }
}
