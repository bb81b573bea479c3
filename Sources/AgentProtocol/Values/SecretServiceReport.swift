internal import PlainText

/// All that the Secret Service shows now, and the latest requests of programs.
package struct SecretServiceReport: Hashable, Sendable {
    package struct Collection: Hashable, Sendable {
        /// The folder of the vault.
        package var folder = ""
        /// The name on the bus.
        package var label = ""
        /// True if nothing of it is shown while the vault is locked.
        package var isHidden = false
        /// The number of items that are shown now.
        package var items = 0

        /// Creates an empty one, to be read.
        package init() {}
    }

    /// A program that gets no prompt until some time.
    package struct Silence: Hashable, Sendable {
        /// The path of the program, or `unknown`; nil for every program.
        package var program: String?
        /// The end, in seconds since 1970.
        package var end = 0

        /// Creates an empty one, to be read.
        package init() {}
    }

    /// True if the settings of the vault turn the service on.
    package var isEnabled = false
    /// The state of the service: off, connecting, serving, waiting, failed or stopped.
    package var state = "off"
    /// The number of the process that owns the name on the bus, if that is another one.
    package var owner: Int32?
    /// The reason why the service is not on the bus.
    package var trouble: String?
    /// True if the vault is locked.
    package var isLocked = false
    package var rules = ""
    /// The collections, the default one first.
    package var collections: [Collection] = []
    /// The programs that get no prompt now.
    package var silences: [Silence] = []
    /// The latest requests, the latest last.
    package var requests: [SecretRequest] = []

    package init() {}

    package init(reading head: inout Head) throws(WireError) {
        isEnabled = try head.consumeFlag("enabled")
        state = try head.consumeText("state")
        owner = try head.consumeNumberIfPresent("owner").map { Int32(clamping: $0) }
        trouble = try head.consumeTextIfPresent("trouble")
        isLocked = try head.consumeFlag("locked")
        rules = try head.consumeTextIfPresent("rules") ?? ""
        for value in try head.consumeList("collections") {
            guard var fields = Head(value) else { throw .malformed("\"collections\" is a list of objects") }
            var collection = Collection()
            try collection.read(from: &fields)
            collections.append(collection)
        }
        for value in try head.consumeList("silent") {
            guard var fields = Head(value) else { throw .malformed("\"silent\" is a list of objects") }
            var silence = Silence()
            try silence.read(from: &fields)
            silences.append(silence)
        }
        for value in try head.consumeList("requests") {
            guard var fields = Head(value) else { throw .malformed("\"requests\" is a list of objects") }
            var request = SecretRequest()
            try request.read(from: &fields)
            requests.append(request)
        }
    }

    /// The object that represents the report on the wire and in `--json` output.
    package var head: Head {
        var head = Head([
            "enabled": .bool(isEnabled), "state": .string(state), "locked": .bool(isLocked),
            "collections": .array(collections.map { .object($0.head.fields) }),
            "requests": .array(requests.map { .object($0.head.fields) }),
        ])
        if let owner { head["owner"] = .number("\(owner)") }
        if let trouble { head["trouble"] = .string(trouble) }
        if !silences.isEmpty { head["silent"] = .array(silences.map { .object($0.head.fields) }) }
        if !rules.isEmpty { head["rules"] = .string(rules) }
        return head
    }
}

extension SecretServiceReport.Collection: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("folder", &folder)
        try coder.text("label", &label)
        try coder.flagIfTrue("hidden", &isHidden)
        try coder.number("items", &items)
    }
}

extension SecretServiceReport.Silence: WireValue {
    /// Hands every member to `coder`.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.textIfSaid("program", &program)
        try coder.number("until", &end)
    }
}
