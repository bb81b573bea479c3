/// Opens an encrypted folder, which is at `path` now.
package struct OpenEncryptedFolderCall: AgentCall {
    package static let verb = Verb.openEncryptedFolder
    package var identifier = ""
    package var path = ""
    package var usesVault: Bool { true }

    package init() {}

    package init(_ identifier: String, at path: String) { (self.identifier, self.path) = (identifier, path) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("identifier", &identifier)
        try coder.text("path", &path)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("open a protected folder", [.note("Folder", path)])
    }
}
