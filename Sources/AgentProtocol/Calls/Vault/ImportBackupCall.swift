/// Imports the backup in a file.
package struct ImportBackupCall: AgentCall {
    package typealias Part = LeftBehindNote
    package static let verb = Verb.importBackup
    package static let parts = "left-behind"
    package var path = ""
    package var usesVault: Bool { true }

    package init() {}

    package init(_ path: String) { self.path = path }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("path", &path)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("restore a backup into the vault", [.note("File", path)])
    }

    /// The numbers of items by their fate. Those that stayed behind go ahead of it.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The number of items that were added.
        package var added = 0
        /// The number of items that the vault had already.
        package var duplicates = 0
        /// The number of items that open only on another device.
        package var ofAnotherDevice = 0
        /// The number of items that this device cannot store in its present state.
        package var refused = 0

        package init() {}

        package init(added: Int, duplicates: Int, ofAnotherDevice: Int, refused: Int) {
            (self.added, self.duplicates) = (added, duplicates)
            (self.ofAnotherDevice, self.refused) = (ofAnotherDevice, refused)
        }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.number("added", &added)
            try coder.number("duplicates", &duplicates)
            try coder.number("of-another-device", &ofAnotherDevice)
            try coder.number("refused", &refused)
        }
    }
}
