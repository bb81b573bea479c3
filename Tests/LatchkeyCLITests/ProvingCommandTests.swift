import Foundation
import PolicyProver
import TestSupport
import Testing

/// The commands that show what the prover finds, run as a user would run them.
@Suite(.waitsForProcesses) struct ProvingCommandTests {
    @Test func theThreatsToAnItemAreATable() throws {
        let run = try Command.run("threats", "--require", "biometryAny", "--against", "passcode-thief", "--aim", "read")
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(
            run.output == """
                whenUnlocked, biometryAny
                assuming deletes: true, contexts: fresh, holds: long-locked

                profile           read               use  list               overwrite                     destroy
                owner             2 steps            —    2 steps            2 steps                       1 step · D 2 steps
                injured-finger    3 steps · P never  —    3 steps · P never  3 steps · H 2 steps           1 step · D never
                snatcher          never · C 1 step   —    never · C 1 step   2 steps · D never · C 1 step  1 step · D 16 steps
                borrower          never · C 1 step   —    never · C 1 step   2 steps · D never · C 1 step  1 step · D never
                coerced-finger    2 steps            —    2 steps            2 steps                       1 step · D 16 steps
                passcode-thief    3 steps · P never  —    3 steps · P never  3 steps · H 2 steps           1 step · D 2 steps
                watch-thief       never              —    never              never · H 2 steps             1 step · D 16 steps
                lost-powered-off  never              —    never              never                         1 step · D 16 steps
                backup-thief      never              —    never              never                         never
                malicious-app     never              —    never              never                         never
                new-owner         never              —    never              never                         already gone

                After a dot is the result under another assumption: D with deletes: false, C with contexts: kept, H with holds: just-locked, P with stolenDeviceProtection: true.

                passcode-thief, read:
                  The device is locked, and the owner's watch is away.
                  1. passcode-thief types the passcode (because they know the passcode)
                  2. passcode-thief enrolls a finger of their own (because the settings ask for the passcode, which they know)
                  3. passcode-thief has the app read the secret, authenticates with biometry (because class.open, evidence.counts, way.proved)

                Searched: 100839 situations, 497129 moves.

                """)
    }

    @Test func everybodyIsListed() throws {
        struct Entry: Decodable { let profile: String, summary: String, holds: String, isOwner: Bool }
        let text = try Command.run("profiles", "--format", "json").output
        let entries = try JSONDecoder().decode([Entry].self, from: Data(text.utf8))
        #expect(entries.map(\.profile) == Profile.known.map(\.name))
        #expect(entries.map(\.isOwner) == Profile.known.map(\.isOwner))
        #expect(try Command.run("profiles", "snatcher").output.hasPrefix("snatcher  a thief who snatches"))
    }

    @Test(arguments: [
        ("biometryCurrentSet", "biometryAny", "passcode-thief", "stronger"),
        ("biometryAny", "biometryCurrentSet", "passcode-thief", "weaker"),
        ("userPresence", "biometryAny or devicePasscode", "passcode-thief", "weaker"),
        ("devicePasscode", "whenUnlockedThisDeviceOnly, devicePasscode", "passcode-thief", "equal"),
        // The thief pairs no watch without the Apple Account. An owner may have a watch and no finger, or a new finger and no watch.
        ("biometryCurrentSet or companion", "biometryAny", "passcode-thief", "stronger"),
        ("biometryCurrentSet or companion", "biometryAny", "owner", "incomparable"),
    ])
    func twoPoliciesAreCompared(_ first: String, _ second: String, _ profile: String, _ relation: String) throws {
        let arguments = ["compare", first, second, "--against", profile]
        #expect(try Command.run(arguments + ["--expect", relation]).status == 0)
        let others = ["stronger", "weaker", "equal", "incomparable"].filter { $0 != relation }
        for other in others {
            let run = try Command.run(arguments + ["--expect", other])
            #expect(run.status == 1)
            #expect(run.errors == "latchkey: the first is \(relation), not \(other)\n")
        }
    }

    /// Items and policies of a file can be named, even if it has both.
    @Test func whatAFileNamesIsCompared() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("named.yaml")
        try """
        name: x
        policies:
          strong: { require: biometryCurrentSet }
          weak: { require: biometryAny }
        items: { token: { policy: strong } }
        steps: [lock]

        """.write(toFile: path, atomically: true, encoding: .utf8)
        func relation(_ first: String, _ second: String, _ expected: String) throws -> Int32 {
            try Command.run(
                "compare", "--file", path, first, second, "--against", "passcode-thief", "--expect", expected
            ).status
        }
        #expect(try relation("strong", "weak", "stronger") == 0)
        #expect(try relation("token", "weak", "stronger") == 0)
        #expect(try relation("weak", "biometryAny", "equal") == 0)
        #expect(try Command.run("compare", "--file", path, "strnog", "weak").errors.contains("did you mean strong?"))
    }

    /// The attackers of a file are for its claims, and a table has only those that every file knows.
    @Test func anAttackerOfAFileIsForItsClaims() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("guarded.yaml")
        try """
        name: x
        items: { token: { require: biometryAny } }
        attackers: { night-guard: { about: a guard, like: passcode-thief } }
        claims: [{ never: read, against: night-guard, expect: fails }]

        """.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try Command.run("prove", path).status == 0)
        let run = try Command.run("threats", path, "--against", "night-guard")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("latchkey: unknown profile \"night-guard\""), "\(run.errors)")
    }

    @Test func whatIsSuggestedAsksLeast() throws {
        let run = try Command.run(
            "suggest", "--never", "read", "--against", "passcode-thief", "--eventually-can", "read", "--by", "owner")
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                "\nwhenUnlockedThisDeviceOnly, biometryCurrentSet or companion\n  unlocked: 1 prompt for the owner\n"))
        let none = try Command.run("suggest", "never read against borrower", "eventually-can read by borrower")
        #expect(none.status == 1)
        #expect(
            none.output.contains(
                """
                No policy makes these true together, though each alone can be:
                  never read against borrower
                  eventually-can read by borrower

                """))
    }

    @Test func aGraphIsDrawn() throws {
        let arguments = ["graph", "--require", "biometryAny", "--against", "passcode-thief", "--most", "2"]
        let dot = try Command.run(arguments + ["--format", "dot"]).output
        #expect(
            dot == #"""
                // passcode-thief and whenUnlocked, biometryAny: passcode-thief can read in 3 steps. 3245 situations, at most 11 steps deep; the nearest 3 are shown, and 3242 are left out. Assumed: deletes: true, contexts: fresh, holds: long-locked.
                digraph situations {
                  rankdir=LR;
                  node [shape=box, fontname="sans-serif"];
                  n0 [label="locked\nitem there\nwatch away", style="bold"];
                  n1 [label="unlocked\nitem there\nwatch away", style="bold"];
                  n2 [label="unlocked\nitem there\nanother enrolled\nwatch away", peripheries=2, style="bold"];
                  n0 -> n1 [label="types the passcode", style=bold];
                  n1 -> n2 [label="enrolls a finger of their own", style=bold];
                }

                """#)
        let page = try Command.run(arguments).output
        #expect(page.hasPrefix("<!DOCTYPE html>\n") && !page.contains("http") && !page.contains("src="))
    }

    @Test(arguments: [
        (["threats"], "name a file, a policy with --require or --accessible, a --file, or --all"),
        (["threats", "--key", "--aim", "use"], "--against PROFILE and --aim AIM name one cell together"),
        (["threats", "--all", "--key"], "--key does not go with --all, which has every policy"),
        (["threats", "--all", "--file", "none"], "--file does not go with --all, which has every policy"),
        (["threats", "--held-open"], "--held-open needs --file with a protection class"),
        (["threats", "--file", "complet"], "unknown protection \"complet\": did you mean complete?"),
        (["threats", "--file", "none", "--key"], "--key is about an item, and does not go with --file"),
        (
            ["threats", "--file", "none", "--against", "owner", "--aim", "read"],
            "read is no aim of this table: name one of read-file, create-file, append-file"
        ),
        (
            ["threats", "--key", "--against", "owner", "--aim", "read-file"],
            "read-file is no aim of this table: name one of read, use, list, overwrite, destroy"
        ),
        (["suggest", "--never", "read-file", "--against", "owner"], "unknown aim \"read-file\""),
        (["graph", "--key", "--against", "owner", "--never", "read-file"], "unknown aim \"read-file\""),
        (["profiles", "thief"], "unknown profile \"thief\""),
        (["compare", "biometryAny"], "name two policies"),
        (
            ["compare", "biometryAny", "biometryAyn"],
            "unknown class or flag \"biometryAyn\": did you mean biometryAny?"
        ),
        (["suggest"], "state a claim, such as \"never read against passcode-thief\""),
        (["suggest", "--never", "read"], "every --never needs its --against, in the same order"),
        (["graph", "--require", "none"], "name the attacker: --against PROFILE"),
    ])
    func whatIsNotUnderstoodIsNamed(_ arguments: [String], _ message: String) throws {
        let run = try Command.run(arguments)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.hasPrefix("latchkey: \(message)"), "\(run.errors)")
    }

    @Test func thePageOfFlagsIsCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/flags.md"), encoding: .utf8)
        let tables = try Command.run("threats", "--all", "--format", "markdown").output
        #expect(page.hasSuffix(tables), "`make docs` writes it anew")
    }
}
