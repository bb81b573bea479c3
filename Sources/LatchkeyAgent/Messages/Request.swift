internal import PlainText

/// What a client asks of an agent. Everything that is secret goes in the secret part of the frame, or is asked for in a prompt.
package enum Request: Hashable, Sendable {
    /// How the vault is.
    case status
    /// Unlock it: by the passcode, or by the sensor.
    case unlock(bySensor: Bool)
    /// Lock it.
    case lock
    /// Wipe the keys and end.
    case stop
    /// Bring out a secret.
    case read(String)
    /// Keep the secret that comes along. Where there is one of that name it is replaced only if `replaces` says so.
    case add(String, Demand, comment: String?, replaces: Bool)
    /// Delete these secrets and store the one that comes along, in one step. Like each of these alone, it shows no prompt.
    case exchange([String], for: String, Demand, comment: String?)
    /// Change what is kept; its secret becomes the one that comes along, where one does.
    case change(String, Changes)
    /// Take out a secret.
    case remove(String)
    /// Every secret, by name and demand; without the comments if it is brief.
    case list(isBrief: Bool)
    /// One secret, by name and demand, and what it would take to read it now.
    case show(String)
    /// Set another passcode by the present one.
    case changePasscode
    /// Set another passcode by the recovery key.
    case recover
    /// Look at everything that is stored.
    case verify
    /// Make a backup in this file.
    case backUp(String)
    /// Take in the backup in this file.
    case takeIn(String)
    /// Enrol somebody on the sensor, under this name.
    case enrol(String)
    /// Remove somebody from the sensor.
    case removeEnrolled(String)
    /// Whom the sensor knows.
    case enrolled
    /// Let the sensor look at whoever is there.
    case match
    /// Forget everybody who is enrolled.
    case resetSensor
    /// What happened since the record after this one, at most so many records.
    case log(after: Int, latest: Int?)
    /// How the log is kept, after these changes.
    case logSettings(LogChanges)

    /// How the log is kept, or what is to become another.
    package struct LogChanges: Hashable, Sendable {
        /// How many bytes it may grow to.
        package var size: Int64?
        /// True if each record is on the disk before the answer is given.
        package var isDurable: Bool?

        package init(size: Int64? = nil, isDurable: Bool? = nil) {
            self.size = size
            self.isDurable = isDurable
        }

        /// Reads the changes in `head`.
        package init(from head: inout Head) throws(WireFault) {
            size = try head.takeNumberIfThere("log-size")
            isDurable = head["durable-log"] == nil ? nil : try head.takeFlag("durable-log")
        }

        func write(to head: inout Head) {
            head["log-size"] = size.map { .number("\($0)") }
            head["durable-log"] = isDurable.map { .bool($0) }
        }
    }

    /// What becomes another.
    package struct Changes: Hashable, Sendable {
        /// Its name.
        package var name: String?
        /// What it demands.
        package var demand: Demand?
        /// What is noted beside it; empty for nothing.
        package var comment: String?

        package init(name: String? = nil, demand: Demand? = nil, comment: String? = nil) {
            self.name = name
            self.demand = demand
            self.comment = comment
        }
    }
}

extension Request {
    /// Whether the vault is in use by it, so that the time until it locks itself begins anew. Whoever only looks how things are, as
    /// often as they like, does not keep it open.
    var usesVault: Bool {
        switch self {
        case .status, .lock, .stop, .list, .show, .verify, .enrolled, .log: false
        case .logSettings(let changes): changes != LogChanges()
        default: true
        }
    }

    /// What it is called on the wire.
    private var word: String {
        switch self {
        case .status: "status"
        case .unlock: "unlock"
        case .lock: "lock"
        case .stop: "stop"
        case .read: "read"
        case .add: "add"
        case .exchange: "exchange"
        case .change: "change"
        case .remove: "remove"
        case .list: "list"
        case .show: "show"
        case .changePasscode: "change-passcode"
        case .recover: "recover"
        case .verify: "verify"
        case .backUp: "back-up"
        case .takeIn: "take-in"
        case .enrol: "enroll"
        case .removeEnrolled: "unenroll"
        case .enrolled: "enrolled"
        case .match: "match"
        case .resetSensor: "reset-sensor"
        case .log: "log"
        case .logSettings: "log-settings"
        }
    }

    /// As it goes over the wire.
    package var head: Head {
        var head = Head(["do": .string(word)])
        switch self {
        case .status, .lock, .stop, .changePasscode, .recover, .verify, .enrolled, .match, .resetSensor: break
        case .list(let isBrief): if isBrief { head["brief"] = .bool(true) }
        case .unlock(let bySensor): if bySensor { head["sensor"] = .bool(true) }
        case .read(let name), .remove(let name), .show(let name), .enrol(let name), .removeEnrolled(let name):
            head["name"] = .string(name)
        case .backUp(let path), .takeIn(let path): head["path"] = .string(path)
        case .add(let name, let demand, let comment, let replaces):
            head["name"] = .string(name)
            head["policy"] = .object(demand.head.fields)
            head["comment"] = comment.map { .string($0) }
            if replaces { head["replace"] = .bool(true) }
        case .exchange(let former, let name, let demand, let comment):
            head["former"] = .array(former.map { .string($0) })
            head["name"] = .string(name)
            head["policy"] = .object(demand.head.fields)
            head["comment"] = comment.map { .string($0) }
        case .change(let name, let changes):
            head["name"] = .string(name)
            head["new-name"] = changes.name.map { .string($0) }
            head["policy"] = changes.demand.map { .object($0.head.fields) }
            head["comment"] = changes.comment.map { .string($0) }
        case .log(let after, let latest):
            head["after"] = .number("\(after)")
            head["latest"] = latest.map { .number("\($0)") }
        case .logSettings(let changes): changes.write(to: &head)
        }
        return head
    }

    /// What `head` asks.
    package init(from head: inout Head) throws(WireFault) {
        let word = try head.takeText("do")
        switch word {
        case "status": self = .status
        case "unlock": self = .unlock(bySensor: try head.takeFlag("sensor"))
        case "lock": self = .lock
        case "stop": self = .stop
        case "read": self = .read(try head.takeText("name"))
        case "add": self = try Self.add(from: &head)
        case "exchange":
            self = .exchange(
                try head.takeTexts("former"), for: try head.takeText("name"), try Self.demand(from: &head) ?? .usual,
                comment: try head.takeTextIfThere("comment"))
        case "change": self = try Self.change(from: &head)
        case "remove": self = .remove(try head.takeText("name"))
        case "list": self = .list(isBrief: try head.takeFlag("brief"))
        case "show": self = .show(try head.takeText("name"))
        case "change-passcode": self = .changePasscode
        case "recover": self = .recover
        case "verify": self = .verify
        case "back-up": self = .backUp(try head.takeText("path"))
        case "take-in": self = .takeIn(try head.takeText("path"))
        case "enroll": self = .enrol(try head.takeText("name"))
        case "unenroll": self = .removeEnrolled(try head.takeText("name"))
        case "enrolled": self = .enrolled
        case "match": self = .match
        case "reset-sensor": self = .resetSensor
        case "log":
            let after = try head.takeNumberIfThere("after") ?? 0
            self = .log(
                after: Int(clamping: after), latest: try head.takeNumberIfThere("latest").map { Int(clamping: $0) })
        case "log-settings": self = .logSettings(try LogChanges(from: &head))
        default: throw .malformed("there is no request of this name")
        }
    }

    private static func add(from head: inout Head) throws(WireFault) -> Request {
        .add(
            try head.takeText("name"), try demand(from: &head) ?? .usual, comment: try head.takeTextIfThere("comment"),
            replaces: try head.takeFlag("replace"))
    }

    private static func change(from head: inout Head) throws(WireFault) -> Request {
        let name = try head.takeText("name")
        return .change(
            name,
            Changes(
                name: try head.takeTextIfThere("new-name"), demand: try demand(from: &head),
                comment: try head.takeTextIfThere("comment")))
    }

    private static func demand(from head: inout Head) throws(WireFault) -> Demand? {
        guard var policy = try head.takeHeadIfThere("policy") else { return nil }
        let demand = try Demand(from: &policy)
        try policy.end()
        return demand
    }
}
