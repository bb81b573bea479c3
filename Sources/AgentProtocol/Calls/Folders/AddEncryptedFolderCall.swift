/// Makes a key for a folder that is to be encrypted, and returns its identifier.
package struct AddEncryptedFolderCall: AgentCall {
    package static let verb = Verb.addEncryptedFolder
    package var folder = EncryptedFolder()
    package var usesVault: Bool { true }

    package init() {}

    package init(_ folder: EncryptedFolder) { self.folder = folder }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try folder.describe(to: &coder)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose {
        .inWordsOfClient("protect a folder", [.note("Folder", folder.path)])
    }

    /// The folder as the kernel knows it now.
    package struct Reply: CallReply, WireValue, Hashable {
        /// The identifier of its key, in hexadecimal digits.
        package var identifier = ""

        package init() {}

        package init(_ identifier: String) { self.identifier = identifier }

        package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
            try coder.text("identifier", &identifier)
        }
    }
}
