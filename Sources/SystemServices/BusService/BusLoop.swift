internal import Glibc
internal import LinuxSystem

/// The loop on the thread of a ``BusService``.
final class BusLoop {
    /// A connection that has called.
    private enum Peer {
        /// The bus was asked who it is. These calls wait for the answer.
        case asked([BusMessage])
        /// A program of this user.
        case known(BusCaller)
        /// A program of another user, or one of which the bus does not tell the user.
        case foreign
    }

    private let board: BusBoard
    private let settings: BusService.Settings
    private let wake: Int32
    private let make: (BusLink) -> any BusHandler
    private var backOff: BackOff
    private var peers: [String: Peer] = [:]
    /// The names that another program owns, with its process.
    private var missing: [String: Int32] = [:]

    /// The largest number of calls that wait for the bus to tell who their caller is.
    private static let mostHeld = 256
    /// The number of messages, and of letters, after which other work gets its turn.
    private static let mostAtOnce = 128

    init(
        _ board: BusBoard, _ settings: BusService.Settings, _ wake: Int32, _ make: @escaping (BusLink) -> any BusHandler
    ) {
        (self.board, self.settings, self.wake, self.make) = (board, settings, wake, make)
        backOff = settings.backOff
    }

    private var isStopped: Bool { board.state == .stopped }

    /// Serves until the service is stopped.
    func run() {
        while !isStopped {
            do { try serve() } catch { board.set(.failed(error.words)) }
            if isStopped { return }
            pause(backOff.next())
        }
    }

    /// Waits before the next try, and lets nothing but the end of the service shorten that.
    private func pause(_ milliseconds: Int) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while !isStopped, .now < end {
            var waited = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
            poll(&waited, 1, Int32(clamping: max(1, Int64((end - .now) / .milliseconds(1)))))
            WakeableThread.drain(wake)
        }
    }

    /// Serves until the service is stopped or the bus is lost.
    private func serve() throws(BusError) {
        (peers, missing) = ([:], [:])
        let bus =
            if let address = settings.address { try SystemBus(address: address) } else { try SystemBus(ofSession: ()) }
        let link = BusLink(bus, board.mailbox)
        let handler = make(link)
        board.mailbox.open()
        defer {
            board.mailbox.close()
            handler.end()
            // A client that waits for a prompt hears of the end only from the bus.
            link.end()
        }
        try join(link)
        while true {
            var count = 0
            while count < Self.mostAtOnce, let message = try bus.next() {
                try take(message, link, handler)
                count += 1
            }
            for letter in board.mailbox.take(atMost: Self.mostAtOnce) {
                switch letter {
                case .finished(let number): link.finish(number)
                case .job(let body): body(handler)
                }
            }
            link.runDueTimers()
            handler.pause()
            if isStopped { return }
            let pause = board.mailbox.isEmpty ? link.pause : 0
            if try !bus.wait(unless: wake, atMost: pause) { WakeableThread.drain(wake) }
        }
    }

    /// Asks the bus for the names, and to tell when a connection leaves.
    private func join(_ link: BusLink) throws(BusError) {
        let rule = "type='signal',sender='\(SystemBus.daemon)',member='NameOwnerChanged',arg2=''"
        try link.call(SystemBus.Call(bus: "AddMatch", [rule])) { _ in }
        for name in settings.names { missing[name] = 0 }
        for name in settings.names {
            try link.request(name: name) { [self] reply in
                if let error = reply.error {
                    // The service works under its main name without the others.
                    if name == settings.names.first { board.set(.failed(error.words)) }
                    return
                }
                backOff.reset()
                // 1 and 4 say that this connection owns the name. NameAcquired can come before or after.
                if let code = try? reply.readNumber(), [1, 4].contains(code) {
                    missing[name] = nil
                } else {
                    askOwner(of: name, link)
                }
                report()
            }
        }
    }

    /// Asks which process owns a name, to tell the user. If the bus is lost, the loop finds out by itself.
    private func askOwner(of name: String, _ link: BusLink) {
        try? link.call(SystemBus.Call(bus: "GetConnectionUnixProcessID", [name])) { [self] reply in
            guard reply.error == nil, let process = try? reply.readNumber(), missing[name] != nil else { return }
            missing[name] = Int32(clamping: process)
            report()
        }
    }

    /// Reports the state of the main name.
    private func report() {
        guard let main = settings.names.first, let process = missing[main] else { return board.set(.serving) }
        if process != 0 { board.set(.waiting(process: process)) }
    }

    private func take(_ message: BusMessage, _ link: BusLink, _ handler: any BusHandler) throws(BusError) {
        if message.isCall { return try takeCall(message, link, handler) }
        if link.deliver(message) { return }
        guard message.sender == SystemBus.daemon else { return }
        if message.isSignal(SystemBus.daemon, "NameOwnerChanged") {
            let name = try message.readText()
            _ = try message.readText()
            guard try message.readText().isEmpty, let peer = peers.removeValue(forKey: name) else { return }
            if case .known(let caller) = peer { handler.forget(caller) }
        } else if message.isSignal(SystemBus.daemon, "NameAcquired") {
            missing[try message.readText()] = nil
            report()
        } else if message.isSignal(SystemBus.daemon, "NameLost") {
            let name = try message.readText()
            guard settings.names.contains(name) else { return }
            missing[name] = missing[name] ?? 0
            askOwner(of: name, link)
        }
    }

    private func takeCall(_ message: BusMessage, _ link: BusLink, _ handler: any BusHandler) throws(BusError) {
        // Any call can carry a secret, also one that is refused before its arguments are read.
        message.wipeWhenFreed()
        guard let sender = message.sender else { return }
        switch peers[sender] {
        case .known(let caller): handle(message, from: caller, link, handler)
        case .foreign: refuseForeigner(message, link)
        case .asked(let held):
            guard held.count < Self.mostHeld else {
                return link.refuse(message, "org.freedesktop.DBus.Error.LimitsExceeded", "Too many calls at once.")
            }
            peers[sender] = .asked(held + [message])
        case nil:
            peers[sender] = .asked([message])
            try link.call(SystemBus.Call(bus: "GetConnectionCredentials", [sender])) { [self] reply in
                guard case .asked(let held)? = peers[sender] else { return }
                guard let caller = Self.caller(sender, reply) else {
                    peers[sender] = .foreign
                    for message in held { refuseForeigner(message, link) }
                    return
                }
                peers[sender] = .known(caller)
                for message in held { handle(message, from: caller, link, handler) }
            }
        }
    }

    private func handle(_ message: BusMessage, from caller: BusCaller, _ link: BusLink, _ handler: any BusHandler) {
        var call = BusCall(message, from: caller)
        handler.handle(call)
        // A call that waits for its answer must not keep its arguments as long.
        if !isKnownUniquelyReferenced(&call) { link.dropArguments(of: call) }
    }

    private func refuseForeigner(_ message: BusMessage, _ link: BusLink) {
        link.refuse(
            message, "org.freedesktop.DBus.Error.AccessDenied",
            "Only programs of the user whose secrets these are may call.")
    }

    /// Returns the caller that the bus describes; nil if it belongs to another user.
    private static func caller(_ connection: String, _ reply: BusMessage) -> BusCaller? {
        guard reply.error == nil else { return nil }
        var user: UInt32?
        var process: UInt32 = 0
        do {
            try reply.readProperties { name, type in
                guard type == "u" else { return false }
                let number = try reply.readNumber()
                if name == "UnixUserID" { user = number }
                if name == "ProcessID" { process = number }
                return true
            }
        } catch {
            return nil
        }
        return user == getuid() ? BusCaller(connection: connection, process: Int32(clamping: process)) : nil
    }
}
