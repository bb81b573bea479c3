internal import Glibc
internal import SystemServices

/// One conversation with fprintd about a fingerprint reader, over one connection to the bus.
///
/// fprintd binds the claim of a reader, and the results that it sends, to the connection.
struct FprintdReader {
    /// The limits of a conversation.
    struct Limit {
        var end: ContinuousClock.Instant
        var prompt: Prompt?

        var wake: Int32 { prompt?.wake ?? -1 }
    }

    private let bus: SystemBus
    /// The name that the bus gave to fprintd's own connection. Any program may send a signal, so the sender is compared.
    private let owner: String
    private let path: String
    private let limit: Limit

    private static let service = "net.reactivated.Fprint"
    private static let device = "net.reactivated.Fprint.Device"
    /// The time to say goodbye. The end of the connection also ends a claim.
    private static let patienceAtEnd = Duration.seconds(1)

    /// Finds the default reader. Throws unless `user` runs fprintd.
    init(_ address: String, ownedBy user: UInt32, _ limit: Limit) throws(SensorError) {
        self.limit = limit
        if let prompt = limit.prompt, prompt.ending != nil { throw .interrupted }
        do throws(BusError) {
            bus = try SystemBus(address: address)
            // The bus starts fprintd if it does not run. The sender of the reply is its own name.
            let reply = try bus.reply(
                to: SystemBus.Call(
                    destination: Self.service, path: "/net/reactivated/Fprint/Manager",
                    interface: "net.reactivated.Fprint.Manager", method: "GetDefaultDevice"),
                until: limit.end, unless: limit.wake)
            guard let sender = reply.sender else { throw BusError(code: EBADMSG) }
            owner = sender
            path = try reply.readText()
            let uid = try bus.reply(
                to: SystemBus.Call(bus: "GetConnectionUnixUser", [owner]), until: limit.end, unless: limit.wake
            ).readNumber()
            guard uid == user else { throw BusError(code: EPERM) }
        } catch {
            if error.reported == nil, error.code == EPERM {
                throw .untrusted("the program that calls itself fprintd on the system bus does not belong to root")
            }
            throw SensorError(error)
        }
    }

    // MARK: - Calls

    /// The name of the reader's model.
    var model: String {
        get throws(SensorError) {
            try asked(property("name").readTextOfVariant())
        }
    }

    /// True if a finger is drawn over the reader instead of laid on it.
    var isForSwiping: Bool {
        (try? asked(property("scan-type").readTextOfVariant())) == "swipe"
    }

    /// The number of touches that an enrollment takes; nil if the reader does not say. It says once it is claimed.
    var stages: Int? {
        let stages = try? asked(property("num-enroll-stages").readIntegerOfVariant())
        return stages.flatMap { $0 > 0 ? Int($0) : nil }
    }

    /// The enrolled fingers of this user.
    var fingers: [String] {
        get throws(SensorError) {
            do {
                // The empty name stands for the user who asks.
                return try asked(call("ListEnrolledFingers", "").readTexts()).sorted()
            } catch .notEnrolled { return [] }
        }
    }

    /// Claims the reader. fprintd may still be ending an earlier claim, so it is asked again for `patience`.
    func claim(within patience: Duration) throws(SensorError) {
        let end = ContinuousClock.now + patience
        while true {
            do {
                _ = try call("Claim", "")
                return
            } catch {
                let isInUse = error.reported?.name.hasSuffix(".AlreadyInUse") == true
                guard isInUse, ContinuousClock.now < min(end, limit.end) else { throw SensorError(error) }
            }
            var waited = pollfd(fd: limit.wake, events: Int16(POLLIN), revents: 0)
            if poll(&waited, 1, 50) > 0 { throw .interrupted }
        }
    }

    /// Ends the claim, and with it the wait for a finger.
    func release(stopping method: String? = nil) {
        let end = ContinuousClock.now + Self.patienceAtEnd
        for method in [method, "Release"].compactMap(\.self) {
            _ = try? bus.reply(to: deviceCall(method), until: end)
        }
    }

    func delete(_ finger: String) throws(SensorError) {
        _ = try asked(call("DeleteEnrolledFinger", finger))
    }

    /// Starts to verify or enroll, and returns once fprintd reports how it ended.
    ///
    /// - Parameters:
    ///   - method: `VerifyStart` or `EnrollStart`.
    ///   - signal: The signal that reports the results.
    ///   - relay: Called with each line for the user.
    /// - Returns: The result, and the finger that fprintd compares with, if it names one.
    func result(
        of method: String, _ finger: String, reportedBy signal: String, relay: (FprintdResult) -> Void
    ) throws(SensorError) -> (FprintdResult, finger: String?) {
        for rule in [
            "type='signal',sender='\(owner)',interface='\(Self.device)',path='\(path)'",
            "type='signal',sender='\(SystemBus.daemon)',member='NameOwnerChanged',arg0='\(owner)'",
        ] {
            let call = SystemBus.Call(bus: "AddMatch", [rule])
            _ = try asked(bus.reply(to: call, until: limit.end, unless: limit.wake))
        }
        _ = try asked(call(method, finger))
        var selected: String?
        while true {
            let message = try asked(bus.next(until: limit.end, unless: limit.wake))
            if message.isSignal(SystemBus.daemon, "NameOwnerChanged"), message.sender == SystemBus.daemon {
                throw .absent("fprintd has ended")
            }
            guard message.sender == owner, message.path == path else { continue }
            if message.isSignal(Self.device, "VerifyFingerSelected") {
                selected = try asked(message.readText())
            } else if message.isSignal(Self.device, signal) {
                let (word, isDone) = try asked((message.readText(), message.readBool()))
                let result = FprintdResult(word, isDone: isDone)
                if isDone { return (result, selected) }
                switch result {
                case .failed: return (result, selected)
                case .again, .success, .noMatch: relay(result)
                }
            }
        }
    }

    private func property(_ name: String) throws(BusError) -> BusMessage {
        let call = SystemBus.Call(
            destination: owner, path: path, interface: "org.freedesktop.DBus.Properties", method: "Get",
            arguments: [Self.device, name])
        return try bus.reply(to: call, until: limit.end, unless: limit.wake)
    }

    private func deviceCall(_ method: String, _ arguments: [String] = []) -> SystemBus.Call {
        SystemBus.Call(
            destination: owner, path: path, interface: Self.device, method: method, arguments: arguments)
    }

    private func call(_ method: String, _ argument: String) throws(BusError) -> BusMessage {
        try bus.reply(to: deviceCall(method, [argument]), until: limit.end, unless: limit.wake)
    }

    private func asked<Value>(_ body: @autoclosure () throws(BusError) -> Value) throws(SensorError) -> Value {
        do { return try body() } catch { throw SensorError(error) }
    }
}
