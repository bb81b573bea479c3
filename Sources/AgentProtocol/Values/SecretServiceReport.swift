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
}

extension SecretServiceReport: CallReply, WireValue {
    /// Passes every member to `coder`, as it appears on the wire and in `--json` output.
    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.flag("enabled", &isEnabled)
        try coder.text("state", &state)
        try coder.numberIfSaid("owner", &owner)
        try coder.textIfSaid("trouble", &trouble)
        try coder.flag("locked", &isLocked)
        try coder.textIfAny("rules", &rules)
        try coder.objects("collections", &collections) { Collection() }
        try coder.objectsIfAny("silent", &silences) { Silence() }
        try coder.objects("requests", &requests) { SecretRequest() }
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
