/// Imports the backup in a file.
package struct ImportBackupCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.importBackup
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
}
