/// Writes a backup to a file.
package struct BackUpCall: AgentCall {
    package typealias Part = LeftOutNote
    package static let verb = Verb.backUp
    package static let parts = "left-out"
    package var path = ""
    package var usesVault: Bool { true }

    package init() {}

    package init(_ path: String) { self.path = path }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("path", &path)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("write a backup of the vault to a file", [.note("File", path)])
    }

    /// The numbers of items that the backup has and lacks. The items that were left out go ahead of it.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of items in the backup.
        package var written = 0
        /// The number of items that were left out.
        package var leftOut = 0
        /// The number of damaged items, which are not in the backup either.
        package var damaged = 0
        /// A warning if the passphrase is easy to guess.
        package var warning: String?

        package init() {}

        package init(written: Int, leftOut: Int, damaged: Int, warning: String?) {
            (self.written, self.leftOut, self.damaged, self.warning) = (written, leftOut, damaged, warning)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("written", &written)
            try coder.number("left-out", &leftOut)
            try coder.number("damaged", &damaged)
            try coder.textIfSaid("warning", &warning)
        }
    }
}
