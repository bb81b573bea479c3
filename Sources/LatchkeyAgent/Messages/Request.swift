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
    case add(String, ItemPolicy, comment: String?, replaces: Bool)
    /// Delete these secrets and store the one that comes along, in one step. Like each of these alone, it shows no prompt.
    case exchange([String], for: String, ItemPolicy, comment: String?)
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
    case importBackup(String)
    /// Enroll a finger or a face on the sensor, under this name.
    case enroll(String)
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
        package init(from head: inout Head) throws(WireError) { try read(from: &head) }
    }

    /// What becomes another.
    package struct Changes: Hashable, Sendable {
        /// Its name.
        package var name: String?
        /// What it demands.
        package var policy: ItemPolicy?
        /// What is noted beside it; empty for nothing.
        package var comment: String?

        package init(name: String? = nil, policy: ItemPolicy? = nil, comment: String? = nil) {
            self.name = name
            self.policy = policy
            self.comment = comment
        }
    }
}

/// Every request by its name on the wire. The names never change.
package enum Verb: String, CaseIterable, Sendable {
    case status = "status"
    case unlock = "unlock"
    case lock = "lock"
    case stop = "stop"
    case read = "read"
    case add = "add"
    case exchange = "exchange"
    case change = "change"
    case remove = "remove"
    case list = "list"
    case show = "show"
    case changePasscode = "change-passcode"
    case recover = "recover"
    case verify = "verify"
    case backUp = "back-up"
    case importBackup = "take-in"
    case enroll = "enroll"
    case removeEnrolled = "unenroll"
    case enrolled = "enrolled"
    case match = "match"
    case resetSensor = "reset-sensor"
    case log = "log"
    case logSettings = "log-settings"

    /// The request of this name before its members are read.
    fileprivate var request: Request {
        switch self {
        case .status: .status
        case .unlock: .unlock(bySensor: false)
        case .lock: .lock
        case .stop: .stop
        case .read: .read("")
        case .add: .add("", .usual, comment: nil, replaces: false)
        case .exchange: .exchange([], for: "", .usual, comment: nil)
        case .change: .change("", Request.Changes())
        case .remove: .remove("")
        case .list: .list(isBrief: false)
        case .show: .show("")
        case .changePasscode: .changePasscode
        case .recover: .recover
        case .verify: .verify
        case .backUp: .backUp("")
        case .importBackup: .importBackup("")
        case .enroll: .enroll("")
        case .removeEnrolled: .removeEnrolled("")
        case .enrolled: .enrolled
        case .match: .match
        case .resetSensor: .resetSensor
        case .log: .log(after: 0, latest: nil)
        case .logSettings: .logSettings(Request.LogChanges())
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
        case .unlock, .read, .add, .exchange, .change, .remove, .changePasscode, .recover, .backUp, .importBackup,
            .enroll,
            .removeEnrolled, .match, .resetSensor:
            true
        }
    }

    private var verb: Verb {
        switch self {
        case .status: .status
        case .unlock: .unlock
        case .lock: .lock
        case .stop: .stop
        case .read: .read
        case .add: .add
        case .exchange: .exchange
        case .change: .change
        case .remove: .remove
        case .list: .list
        case .show: .show
        case .changePasscode: .changePasscode
        case .recover: .recover
        case .verify: .verify
        case .backUp: .backUp
        case .importBackup: .importBackup
        case .enroll: .enroll
        case .removeEnrolled: .removeEnrolled
        case .enrolled: .enrolled
        case .match: .match
        case .resetSensor: .resetSensor
        case .log: .log
        case .logSettings: .logSettings
        }
    }

    /// As it goes over the wire.
    package var head: Head {
        var (copy, writer) = (self, HeadWriter())
        copy.describe(to: &writer)
        writer.head["do"] = .string(verb.rawValue)
        return writer.head
    }

    /// What `head` asks.
    package init(from head: inout Head) throws(WireError) {
        guard let verb = Verb(rawValue: try head.consumeText("do")) else {
            throw .malformed("there is no request of this name")
        }
        self = verb.request
        try read(from: &head)
    }
}

extension Request: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        switch self {
        case .status, .lock, .stop, .changePasscode, .recover, .verify, .enrolled, .match, .resetSensor: break
        case .unlock(var bySensor):
            try coder.flagIfTrue("sensor", &bySensor)
            self = .unlock(bySensor: bySensor)
        case .list(var isBrief):
            try coder.flagIfTrue("brief", &isBrief)
            self = .list(isBrief: isBrief)
        case .read(var name):
            try coder.text("name", &name)
            self = .read(name)
        case .remove(var name):
            try coder.text("name", &name)
            self = .remove(name)
        case .show(var name):
            try coder.text("name", &name)
            self = .show(name)
        case .enroll(var name):
            try coder.text("name", &name)
            self = .enroll(name)
        case .removeEnrolled(var name):
            try coder.text("name", &name)
            self = .removeEnrolled(name)
        case .backUp(var path):
            try coder.text("path", &path)
            self = .backUp(path)
        case .importBackup(var path):
            try coder.text("path", &path)
            self = .importBackup(path)
        case .add(var name, let given, var comment, var replaces):
            try coder.text("name", &name)
            var policy: ItemPolicy? = given
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            try coder.flagIfTrue("replace", &replaces)
            self = .add(name, policy ?? .usual, comment: comment, replaces: replaces)
        case .exchange(var former, var name, let given, var comment):
            try coder.texts("former", &former)
            try coder.text("name", &name)
            var policy: ItemPolicy? = given
            try coder.policyIfSaid("policy", &policy)
            try coder.textIfSaid("comment", &comment)
            self = .exchange(former, for: name, policy ?? .usual, comment: comment)
        case .change(var name, var changes):
            try coder.text("name", &name)
            try changes.describe(to: &coder)
            self = .change(name, changes)
        case .log(let after, var latest):
            var place: Int? = after
            try coder.numberIfSaid("after", &place)
            try coder.numberIfSaid("latest", &latest)
            self = .log(after: place ?? 0, latest: latest)
        case .logSettings(var changes):
            try changes.describe(to: &coder)
            self = .logSettings(changes)
        }
    }
}

extension Request.Changes: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("new-name", &name)
        try coder.policyIfSaid("policy", &policy)
        try coder.textIfSaid("comment", &comment)
    }
}

extension Request.LogChanges: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.numberIfSaid("log-size", &size)
        try coder.flagIfSaid("durable-log", &isDurable)
    }
}
