/// Changes how an encrypted folder is kept.
package struct ChangeEncryptedFolderCall: AgentCall {
    package static let verb = Verb.changeEncryptedFolder
    package var folder = EncryptedFolder()
    package var usesVault: Bool { true }

    package init() {}

    package init(_ folder: EncryptedFolder) { self.folder = folder }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try folder.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("change how a folder is protected", [.note("Folder", folder.path)])
    }
}
