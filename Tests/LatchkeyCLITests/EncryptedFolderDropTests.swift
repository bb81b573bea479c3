import AgentProtocol
import Foundation
import TestSupport
import Testing

/// Files that are dropped into a locked folder.
extension EncryptedFolderTests {
    @Test func aLockedFolderTakesNewFiles() throws {
        let path = disk.path("recordings")
        try folder("protect --class unless-open \(path)")
        try write("first", vault.path("a.ogg"))
        try write("second", disk.path("a.ogg"))
        try vault.lock()
        #expect(try folder("drop \(path) \(vault.path("a.ogg"))").errors.contains("will be moved into \(path)"))
        try folder("drop --move \(path) \(disk.path("a.ogg"))")
        #expect(!FileManager.default.fileExists(atPath: disk.path("a.ogg")))
        #expect(content(vault.path("a.ogg")) == "first")
        #expect(try report(path).drops == 2)
        let sealed = try vault.sh("grep -r 'first\\|second' $LATCHKEY_HOME/drops | wc -l").output
        #expect(sealed == "0\n", "no content is readable while the vault is locked")
        let refused = try #require(throws: AgentError.self) {
            try vault.transfer(to: vault.path("moving"), "right phrase")
        }
        #expect(refused.message.contains("2 dropped files would be lost: open \(path) first"))
        try unlock()
        #expect(Patience.wait { names(path) == ["a (2).ogg", "a.ogg"] }, "\(names(path))")
        #expect(try Patience.wait { try report(path).drops == 0 })
        #expect(Set([content("\(path)/a.ogg"), content("\(path)/a (2).ogg")]) == ["first", "second"])
        try write("third", vault.path("b"))
        #expect(try folder("drop \(path) \(vault.path("b"))").errors.contains("Put \(vault.path("b")) into \(path)."))
        #expect(content("\(path)/b") == "third")
    }

    @Test func aFolderOfAnotherClassTakesFilesOnlyWhileItIsOpen() throws {
        try write("x", vault.path("x"))
        for (word, status) in [("complete", Int32(5)), ("until-first-unlock", 0)] {
            try folder("protect --class \(word) \(disk.path(word))")
            try vault.lock()
            let run = try folder("drop \(disk.path(word)) \(vault.path("x"))", status)
            #expect(status == 0 || run.errors.contains("run `latchkey unlock`"), "\(run)")
            try unlock()
            #expect(names(disk.path(word)) == (status == 0 ? ["x"] : []))
        }
    }

    @Test func filesThatWaitAreMovedBeforeAFolderIsDecrypted() throws {
        let path = disk.path("recordings")
        try folder("protect --class unless-open \(path)")
        try write("first", vault.path("a.ogg"))
        try vault.lock()
        try folder("drop \(path) \(vault.path("a.ogg"))")
        try vault.unlock()
        try folder("unprotect \(path)")
        #expect(names(path) == ["a.ogg"] && content("\(path)/a.ogg") == "first")
        #expect(try folder("status").output.isEmpty)
    }

    /// Without the key of the folder, a file that waits for it could never be read.
    @Test func aFolderThatFilesWaitForStaysEncrypted() throws {
        let path = disk.path("recordings")
        try folder("protect --class unless-open \(path)")
        try write("first", vault.path("a.ogg"))
        try vault.lock()
        try folder("drop \(path) \(vault.path("a.ogg"))")
        // A file that cannot be opened, as after an error of the disk.
        let damaged = try vault.sh("for file in $LATCHKEY_HOME/drops/*/*/a.ogg; do : > $file; done")
        #expect(damaged.status == 0)
        try vault.unlock()
        let said = try folder("unprotect \(path)", 2).errors
        #expect(said.contains("1 dropped file could not be moved into \(path) yet"), "\(said)")
        var known = try report(path)
        #expect(known.state == .open && !known.folder.isMoving && known.drops == 1)
        // The agent refuses as well, and takes no more files for a folder whose content is being moved.
        let agent = try vault.connect()
        known.folder.isMoving = true
        #expect(throws: AgentError.self) { _ = try agent.ask(ChangeEncryptedFolderCall(known.folder), of: nil) }
        #expect(try vault.sh("rm -r $LATCHKEY_HOME/drops/*/*").status == 0)
        _ = try agent.ask(ChangeEncryptedFolderCall(known.folder), of: nil)
        #expect(try folder("drop \(path) \(vault.path("a.ogg"))", 2).errors.contains("is being moved"))
        try folder("unprotect \(path)")
    }

    /// The list of a file is not carried, and must not become rights of its group.
    @Test(.enabled(if: has("python3"), "skipped: needs python3"))
    func aFileWithAnAccessControlListOpensNothingToItsGroup() throws {
        let path = disk.path("recordings")
        try folder("protect \(path)")
        let file = disk.path("a.ogg")
        try write("first", file)
        // The owner and user 1000 read and write, and the group nothing; version 2, then tag, rights and number of each.
        let list =
            "0200000001000600ffffffff02000600e803000004000000ffffffff10000600ffffffff20000000ffffffff"
        let script = "import os, sys; os.setxattr(sys.argv[1], 'system.posix_acl_access', bytes.fromhex(sys.argv[2]))"
        try #require(try vault.sh("python3 -c \"\(script)\" \(file) \(list)").status == 0)
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        try #require(try mode(file) == 0o660)
        try folder("drop \(path) \(file)")
        #expect(try mode("\(path)/a.ogg") == 0o600)
        // Without a list, the group keeps its rights.
        try write("second", disk.path("b.ogg"))
        try #require(chmod(disk.path("b.ogg"), 0o640) == 0)
        try folder("drop \(path) \(disk.path("b.ogg"))")
        #expect(try mode("\(path)/b.ogg") == 0o640)
    }
}
