/// Writes a backup to a file.
package struct BackUpCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.backUp
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
}
