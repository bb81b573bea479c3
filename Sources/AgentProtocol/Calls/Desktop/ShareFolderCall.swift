/// Shows a folder as a collection of the Secret Service; nothing of it while the vault is locked if it `isHidden`.
package struct ShareFolderCall: AgentCall {
    package static let verb = Verb.shareFolder
    package var folder = ""
    package var isHidden = false
    package var usesVault: Bool { true }

    package init() {}

    package init(_ folder: String, isHidden: Bool) { (self.folder, self.isHidden) = (folder, isHidden) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("folder", &folder)
        try coder.flagIfTrue("hidden", &isHidden)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        RequestPurpose("show a folder of secrets to desktop programs")
    }
}
