import AccessPolicy
import Foundation
import LatchkeyAgent
import TestSupport
import Testing

/// Folders of secrets: renamed, copied and deleted as a whole or not at all.
@Suite(.serialized, .waitsInOrder) struct FolderTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        for name in ["work/token", "work/mail", "work/old/x", "home/token"] { try vault.set(name, "s-\(name)") }
    }

    private func tell(_ line: String) throws -> (Int32, String) {
        let run = try vault.sh("latchkey \(line)")
        #expect(run.output.isEmpty, "\(line): \(run)")
        return (run.status, run.errors)
    }

    @Test func aFolderIsRenamed() throws {
        #expect(try tell("mv work job/now") == (0, "Renamed folder work to job/now: 3 secrets.\n"))
        #expect(try vault.names() == ["home/token", "job/now/mail", "job/now/old/x", "job/now/token"])
        #expect(try vault.get("job/now/old/x") == "s-work/old/x")
        #expect(try tell("mv job/now/ .") == (2, try tell("mv job/now/ .").1), "no folder of the file system")
        #expect(try tell("mv home/token job/") == (0, "Renamed home/token to job/token.\n"))
        #expect(try tell("mv job/now/ /") == (2, try tell("mv job/now/ /").1))
        #expect(try vault.names().count == 4)
    }

    /// Some names of the new folder are names of the old one, whichever way it moves.
    @Test func aFolderMovesIntoItselfAndOut() throws {
        try vault.set("work/old/mail", "deeper")
        try vault.set("work/old/old/x", "deepest")
        let before = try vault.names()
        #expect(try tell("mv work work/old").0 == 0)
        #expect(try vault.get("work/old/old/mail") == "deeper")
        #expect(try vault.get("work/old/mail") == "s-work/mail")
        #expect(try vault.get("work/old/old/old/x") == "deepest")
        #expect(try tell("mv work/old work") == (0, "Renamed folder work/old to work: 5 secrets.\n"))
        #expect(try vault.names() == before)
        #expect(try vault.get("work/old/mail") == "deeper")
    }

    @Test func nothingMovesIfOneNameIsTaken() throws {
        try vault.set("job/old/x", "mine")
        let before = try vault.names()
        for line in ["mv work job", "cp -r work job"] {
            let (status, errors) = try tell(line)
            #expect(
                status == 9 && errors.contains("there is a secret job/old/x already, and nothing was done"), "\(errors)"
            )
        }
        #expect(try vault.names() == before)
        #expect(try vault.get("job/old/x") == "mine")
    }

    @Test func aSecretAndAFolderAreCopied() throws {
        try vault.set("work/service", "s", ItemPolicy(.afterFirstUnlock, []))
        _ = try vault.sh("latchkey edit work/service --comment 'a comment'")
        #expect(try tell("cp work/service work/other") == (0, "Copied work/service to work/other.\n"))
        let shown = try vault.sh("latchkey show work/other --json").output
        #expect(shown.contains("a comment") && shown.contains("afterFirstUnlock"), "\(shown)")
        #expect(try vault.get("work/other") == "s" && vault.get("work/service") == "s")
        let (status, errors) = try tell("cp work copy")
        #expect(status == 4 && errors == "latchkey: work is a folder: add -r to copy every secret in it\n")
        #expect(try tell("cp -r work copy") == (0, "Copied folder work to copy: 5 secrets.\n"))
        #expect(try vault.get("copy/old/x") == "s-work/old/x" && vault.get("work/old/x") == "s-work/old/x")
        #expect(try tell("cp copy/token work/").0 == 9)
        #expect(try tell("cp none some").0 == 4)
        #expect(try vault.sh("latchkey verify").status == 0)
    }

    @Test func aFolderIsDeleted() throws {
        let (status, errors) = try tell("rm work")
        #expect(status == 4 && errors == "latchkey: work is a folder: add -r to delete every secret in it\n")
        try vault.set("work", "of the same name")
        #expect(try tell("rm -r work/") == (0, "Deleted folder work: 3 secrets.\n"))
        #expect(try vault.names() == ["home/token", "work"])
        #expect(try tell("rm -r home work") == (0, "Deleted folder home: 1 secret.\nDeleted work.\n"))
        #expect(try tell("rm -r home").0 == 4)
        #expect(try tell("rm --recursive --force home") == (0, ""))
    }

    /// The agent deletes a folder only if it has as many secrets as the user has agreed to.
    @Test func aFolderThatHasChangedIsNotDeleted() throws {
        let agent = try vault.connect()
        for count in [2, 4] {
            let error = #expect(throws: AgentError.self) {
                _ = try agent.ask(.removeFolder("work", count: count, isFinal: false), of: nil)
            }
            #expect(error?.kind == .exists && error?.message.contains("3 secrets now, and nothing was deleted") == true)
        }
        #expect(try vault.names().count == 4)
        var head = try agent.ask(.removeFolder("work", count: nil, isFinal: false), of: nil).head
        #expect(try head.consumeNumber("count") == 3)
    }

    @Test func aLockedVaultDoesNotSayWhatIsInAFolder() throws {
        try vault.lock()
        for line in ["mv work job", "cp -r work job", "rm -r work", "rm -r --force work"] {
            let (status, errors) = try tell(line)
            #expect(status == 5 && !errors.contains("token"), "\(line): \(errors)")
        }
        try vault.unlock()
        #expect(try vault.names().count == 4)
    }

    /// Without a terminal nothing is asked: what needs no authentication is done, and the rest is refused as a whole.
    @Test func oneSecretThatAsksKeepsTheFolder() throws {
        try vault.set("work/asks", "p", ItemPolicy(.whenUnlocked, .devicePasscode))
        let before = try vault.names()
        for line in ["mv work job", "cp -r work job"] { #expect(try tell(line).0 == 8) }
        #expect(try vault.names() == before)
    }

    @Test func aListThatMatchesNothingSaysSo() throws {
        for line in ["list nope", "ls nope", "list --json 'n*'", "list --tree nope", "search nope"] {
            let run = try vault.sh("latchkey \(line)")
            #expect(run.status == 4 && run.output.isEmpty, "\(line)")
            #expect(
                run.errors.hasPrefix("latchkey: no ") && run.errors.hasSuffix("to see the names\n"), "\(run.errors)")
        }
        #expect(try vault.sh("latchkey list nope --names").status == 0)
        #expect(try vault.sh("latchkey ls work").output == vault.sh("latchkey list work").output)
        _ = try vault.sh("latchkey rm -r work home")
        for line in ["list", "list work", "ls --names", "list --json"] {
            let run = try vault.sh("latchkey \(line)")
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(line): \(run)")
        }
    }

    @Test func aSearchFindsPartsOfNamesAndComments() throws {
        _ = try vault.sh("latchkey edit work/mail --comment 'Alice, https://Example.org'")
        let rows = [
            ("TOKEN", ["home/token", "work/token"]), ("work tok", ["work/token"]), ("alice", ["work/mail"]),
            ("example.ORG mail", ["work/mail"]), ("/", ["home/token", "work/mail", "work/old/x", "work/token"]),
        ]
        for (text, names) in rows {
            let found = try vault.sh("latchkey search --names \(text)")
            #expect(found.output.split(separator: "\n").map(String.init) == names, "\(text)")
        }
        #expect(try vault.sh("latchkey search alice --json").output.contains("\"name\":\"work/mail\""))
        let row = "work/mail  opens while the vault is unlocked  nothing, whenUnlockedThisDeviceOnly\n"
        #expect(try vault.sh("latchkey search alice").output == row)
        #expect(try vault.sh("latchkey search s-work --names").status == 4, "no value is searched")
    }

    @Test func addNeverReplaces() throws {
        #expect(try vault.sh("echo new | latchkey add --trim new/one --preset open").errors.hasPrefix("Saved new/one"))
        #expect(try vault.get("new/one") == "new")
        let again = try vault.sh("echo other | latchkey add new/one")
        #expect(again.status == 9 && again.errors.contains("latchkey set --replace"))
        #expect(try vault.sh("echo other | latchkey add --replace new/one").status == 2)
        #expect(try vault.get("new/one") == "new")
    }
}
