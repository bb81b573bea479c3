import AgentProtocol
import Foundation
import Glibc
import TestSupport
import Testing

/// A protected folder that two vaults of one user have. The kernel keeps one claim for both, so a lock of one takes the key
/// of the other as well: each agent tells the others, and those that are unlocked give their key again.
@Suite(.serialized, .waitsInOrder, .needsEncryptedDisk) struct SharedFolderTests {
    private let first: UnlockedVault
    private let second: UnlockedVault
    private let disk: EncryptedDisk
    private let path: String

    init() throws {
        first = try UnlockedVault()
        second = try UnlockedVault(inLoginOf: first)
        disk = try EncryptedDisk()
        path = try disk.makeFolder("journal")
        try ClosedOnExec.write("met the auditor", to: "\(path)/today")
        for line in ["latchkey folder protect \(path)"] {
            let run = try first.sh(line)
            try #require(run.status == 0, "\(run)")
        }
        try first.backUp(to: first.path("backup"), "right phrase")
        try second.restore(first.path("backup"), "right phrase")
        let run = try second.sh("latchkey folder protect \(path)")
        try #require(run.status == 0, "\(run)")
    }

    private var isReadable: Bool {
        ClosedOnExec.text(of: "\(path)/today") == "met the auditor"
    }

    private func state(_ vault: UnlockedVault) throws -> EncryptedFolderReport.State {
        let run = try vault.sh("latchkey folder status --json")
        let line = try #require(run.output.split(separator: "\n").first, "\(run)")
        var head = try WireObject(Array(line.utf8))
        return try EncryptedFolderReport(reading: &head).state
    }

    @Test func theLockOfOneVaultDoesNotCloseTheFolderOfTheOther() throws {
        for (locked, open) in [(first, second), (second, first)] {
            try locked.lock()
            #expect(try Patience.wait { try isReadable && state(locked) == .shared }, "no request to the other agent")
            #expect(try state(open) == .open)
            try locked.unlock()
            #expect(try Patience.wait { try state(locked) == .open })
        }
        try first.lock()
        try second.lock()
        #expect(try Patience.wait { try state(first) == .locked && state(second) == .locked })
        #expect(!isReadable)
    }

    /// A file that is open keeps the key busy. The locked agent asks the kernel again and again, and must not take what the
    /// unlocked one has given since.
    @Test func aHeldFolderIsLeftToTheVaultThatIsUnlocked() throws {
        let file = open("\(path)/today", O_RDONLY | O_CLOEXEC)
        try #require(file >= 0)
        try first.lock()
        #expect(try Patience.wait { try isReadable && state(first) == .shared })
        try second.lock()
        #expect(try Patience.wait { try state(first) == .held && state(second) == .held })
        close(file)
        #expect(try Patience.wait { try state(first) == .locked && state(second) == .locked })
        #expect(!isReadable)
    }

    @Test func theEndOfOneAgentLeavesTheFolderToTheOther() throws {
        _ = try first.sh("latchkey agent stop")
        #expect(Patience.wait { isReadable })
        #expect(try state(second) == .open)
        _ = try second.sh("latchkey agent stop")
        #expect(!isReadable)
    }
}
