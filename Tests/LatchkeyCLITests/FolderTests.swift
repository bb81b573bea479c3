import AccessPolicy
import AgentProtocol
import Foundation
import TestSupport
import Testing

/// Folders of secrets: renamed, copied and deleted as a whole or not at all.
@Suite(.serialized, .waitsInOrder) struct FolderTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        for name in ["work/token", "work/mail", "work/old/x", "home/token"] { try vault.set(name, "s-\(name)") }
    }

    /// The agent deletes a folder only if it has as many secrets as the user has agreed to.
    @Test func aFolderThatHasChangedIsNotDeleted() throws {
        let agent = try vault.connect()
        for count in [2, 4] {
            let error = #expect(throws: AgentError.self) {
                _ = try agent.ask(RemoveFolderCall("work", count: count, isFinal: false), of: nil)
            }
            #expect(error?.kind == .exists && error?.message.contains("3 secrets now, and nothing was deleted") == true)
        }
        #expect(try vault.names().count == 4)
        let answer = try agent.ask(RemoveFolderCall("work", count: nil, isFinal: false), of: nil)
        #expect(answer.reply.count == 3)
    }
}
