/// Deletes the key of a folder that is no longer encrypted. If the client `isSure`, also that of another one, whose content is lost
/// then.
package struct RemoveEncryptedFolderCall: AgentCall {
    package static let verb = Verb.removeEncryptedFolder
    package var identifier = ""
    package var isSure = false
    package var usesVault: Bool { true }

    package init() {}

    package init(_ identifier: String, isSure: Bool) { (self.identifier, self.isSure) = (identifier, isSure) }

    package mutating func describe<Coder: WireCoder>(to coder: inout Coder) throws(Coder.Failure) {
        try coder.text("identifier", &identifier)
        try coder.flagIfTrue("sure", &isSure)
    }

    package func purpose(usual: ItemPolicy) -> RequestPurpose { RequestPurpose("delete the key of a protected folder") }
}
