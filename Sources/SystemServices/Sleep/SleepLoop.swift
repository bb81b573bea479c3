internal import Glibc

/// The loop on the thread of a ``SleepWatch``: it connects to the bus, asks logind to delay sleep, and hears what
/// logind announces.
///
/// The loop never waits for logind, except to ask who owns a locked session. Replies arrive as messages like any other,
/// so a logind that hangs cannot keep the loop from stopping.
final class SleepLoop {
    private let board: SleepBoard
    private let address: String?
    private var backOff: BackOff
    private let wake: Int32
    private let act: (SleepWatch.Reason) -> Void

    /// While this descriptor is open, logind delays sleep.
    private var inhibitor: OpenDescriptor?
    /// The number of the call that asked for it, until logind answers.
    private var awaited: UInt64?
    /// The numbers of the calls that subscribed to signals.
    private var matches: Set<UInt64> = []
    /// The name under which logind sends; nil until it is known.
    private var logind: String?

    private static let name = "org.freedesktop.login1"
    private static let manager = "org.freedesktop.login1.Manager"
    private static let session = "org.freedesktop.login1.Session"

    init(
        board: SleepBoard, address: String?, backOff: BackOff, wake: Int32, act: @escaping (SleepWatch.Reason) -> Void
    ) {
        self.board = board
        self.address = address
        self.backOff = backOff
        self.wake = wake
        self.act = act
    }

    /// Watches until `stop()` is called.
    func run() {
        while !board.isStopped {
            do {
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
        board.trouble = "\(what): keys stay in memory when the machine sleeps or the screen is locked"
    }

    /// Watches until `stop()` is called or the bus is lost.
    private func watch() throws(BusError) {
        let bus = try SystemBus(address: address)
        // Subscribe before asking for the delay, so that no announcement is missed in between.
        matches = []
        for rule in [
            "type='signal',sender='\(Self.name)',interface='\(Self.manager)',member='PrepareForSleep'",
            "type='signal',sender='\(Self.name)',interface='\(Self.session)',member='Lock'",
            "type='signal',sender='\(SystemBus.daemon)',member='NameOwnerChanged',arg0='\(Self.name)'",
        ] {
            matches.insert(try bus.send(SystemBus.Call(bus: "AddMatch", [rule])))
        }
        try holdBack(on: bus)
        repeat {
            while let message = try bus.next() {
                try handle(message, on: bus)
                if board.isStopped { return }
            }
        } while try bus.wait(unless: wake)
    }

    /// Asks logind to delay sleep for this process.
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
        } else if message.isSignal(SystemBus.daemon, "NameOwnerChanged"), message.sender == SystemBus.daemon {
            guard try message.readText() == Self.name else { return }
            _ = try message.readText()
            try handleOwner(try message.readText(), on: bus)
        } else if let logind, message.sender != logind {
            // Any program may send this process a signal. Believe only logind's.
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

    /// Handles logind's answer to the request for a delay.
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
            // The machine is already going to sleep, so logind grants no delay.
            act(.sleep)
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            report("there is no logind on the system bus")
        default:
            report("logind does not delay sleep for Latchkey (\(error.words))")
        }
    }

    /// Handles the news that logind has started anew or has left the bus.
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

    /// Returns true if the session at `path` belongs to this user. Returns true for an unknown session too, because
    /// wiping keys too often is safer.
    private func isOurs(_ path: String, on bus: SystemBus) -> Bool {
        let call = SystemBus.Call(
            destination: Self.name, path: path, interface: "org.freedesktop.DBus.Properties", method: "Get",
            arguments: [Self.session, "User"])
        do {
            return try bus.reply(to: call, until: .now + .seconds(1)).readNumberOfVariant() == getuid()
        } catch {
            return true
        }
    }
}

/// A descriptor that is closed when its owner's life ends.
private struct OpenDescriptor: ~Copyable {
    let number: Int32

    deinit { close(number) }
}
