/// Lists the folders that the vault keeps encrypted, after the keys of all are where they should be.
package struct EncryptedFoldersCall: AgentCall {
    package typealias Reply = RawReply
    package static let verb = Verb.encryptedFolders
    package var usesVault: Bool { false }

    package init() {}

    package func purpose(usual: ItemPolicy) -> RequestPurpose { .look }
}
