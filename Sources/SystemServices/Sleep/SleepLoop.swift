internal import Glibc

/// What the thread of a `SleepWatch` does: connects, asks logind to wait for us, and hears what it announces.
///
/// Nothing here waits for logind but one look at whose session was locked: replies come as messages like any other, so that a
/// logind that hangs keeps nobody from stopping this.
final class SleepLoop {
    private let board: SleepBoard
    private let address: String?
    private var backOff: BackOff
    private let wake: Int32
    private let act: (SleepWatch.Reason) -> Void

    /// As long as this is open, the machine waits with sleeping.
    private var inhibitor: OpenDescriptor?
    /// The call for it that has not been answered yet.
    private var awaited: UInt64?
    /// The calls that say what we want to hear.
    private var matches: Set<UInt64> = []
    /// The name under which logind sends, where it is known.
    private var logind: String?

    private static let name = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"
    private static let daemon = "org.freedesktop.DBus"

    init(
        board: SleepBoard, address: String?, backOff: BackOff, wake: Int32, act: @escaping (SleepWatch.Reason) -> Void
    ) {
        self.board = board
        self.address = address
        self.backOff = backOff
        self.wake = wake
        self.act = act
    }

    /// Watches until it is stopped.
    func run() {
        while !board.isStopped {
            do throws(BusError) {
                try watch()
            } catch {
                report("the system bus cannot be watched (\(error.words))")
            }
            inhibitor = nil
            logind = nil
            if board.isStopped { return }
            var waited = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, Int32(clamping: backOff.next()))
        }
    }

    private func report(_ what: String) {
        if board.isStopped { return }
        board.trouble = "\(what): keys are kept when the machine sleeps or the screen is locked"
    }

    /// Watches until it is stopped or the bus is lost.
    private func watch() throws(BusError) {
        let bus = try SystemBus(address: address)
        // First what we want to hear, so that no sleep falls between the two.
        matches = []
        for rule in [
            "type='signal',sender='\(Self.name)',interface='\(Self.manager)',member='PrepareForSleep'",
            "type='signal',sender='\(Self.name)',interface='\(Self.session)',member='Lock'",
            "type='signal',sender='\(Self.daemon)',member='NameOwnerChanged',arg0='\(Self.name)'",
        ] {
            let call = SystemBus.Call(
                destination: Self.daemon, path: "/org/freedesktop/DBus", interface: Self.daemon, method: "AddMatch",
                arguments: [rule])
            matches.insert(try bus.send(call))
        }
        try holdBack(on: bus)
        repeat {
            while let message = try bus.next() {
                try handle(message, on: bus)
                if board.isStopped { return }
            }
        } while try bus.wait(unless: wake)
    }

    /// Asks logind to wait for us before the machine sleeps.
    private func holdBack(on bus: SystemBus) throws(BusError) {
        awaited = try bus.send(
            SystemBus.Call(
                destination: Self.name, path: "/org/freedesktop/login1", interface: Self.manager, method: "Inhibit",
                arguments: ["sleep", "latchkey", "the keys are wiped", "delay"]))
    }

    private func handle(_ message: BusMessage, on bus: SystemBus) throws(BusError) {
        if let call = message.repliesTo {
            if message.error != nil, matches.contains(call) { throw BusError(code: EACCES) }
            if call == awaited { try handleAnswer(message) }
        } else if message.isSignal(Self.daemon, "NameOwnerChanged"), message.sender == Self.daemon {
            guard try message.readText() == Self.name else { return }
            _ = try message.readText()
            try handleOwner(try message.readText(), on: bus)
        } else if let logind, message.sender != logind {
            // Anybody may send a signal to us alone; only logind's are believed.
        } else if message.isSignal(Self.manager, "PrepareForSleep") {
            if try message.readBool() {
                act(.sleep)
                inhibitor = nil
            } else {
                try holdBack(on: bus)
            }
        } else if message.isSignal(Self.session, "Lock"), let path = message.path, isOurs(path, on: bus) {
            act(.lock)
        }
    }

    /// Takes what logind says about waiting for us.
    private func handleAnswer(_ message: BusMessage) throws(BusError) {
        awaited = nil
        backOff.reset()
        guard let error = message.error else {
            inhibitor = OpenDescriptor(number: try message.readDescriptor())
            logind = message.sender
            if !board.isStopped { board.trouble = nil }
            return
        }
        switch error.name {
        case "org.freedesktop.login1.OperationInProgress":
            // It is too late to be waited for.
            act(.sleep)
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            report("there is no logind on the system bus")
        default:
            report("logind does not wait for us before sleep (\(error.words))")
        }
    }

    /// Another logind, or none, has come to the bus.
    private func handleOwner(_ name: String, on bus: SystemBus) throws(BusError) {
        logind = name.isEmpty ? nil : name
        inhibitor = nil
        awaited = nil
        if name.isEmpty {
            report("logind has left the system bus")
        } else {
            try holdBack(on: bus)
        }
    }

    /// Returns true if the session at `path` is this user's. One that nothing is to be learned of is: keys rather go too often.
    private func isOurs(_ path: String, on bus: SystemBus) -> Bool {
        let call = SystemBus.Call(
            destination: Self.name, path: path, interface: "org.freedesktop.DBus.Properties", method: "Get",
            arguments: [Self.session, "User"])
        do {
            return try bus.reply(to: call, milliseconds: 1000).readNumberOfVariant() == getuid()
        } catch {
            return true
        }
    }
}

/// A descriptor that is closed when its owner lets go of it.
private struct OpenDescriptor: ~Copyable {
    let number: Int32

    deinit { close(number) }
}
