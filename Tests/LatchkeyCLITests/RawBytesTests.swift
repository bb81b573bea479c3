import Foundation
import TestSupport
import Testing

/// Words that are not UTF-8 are passed on as they are, or refused. They are never altered.
@Suite(.waitsForProcesses) struct RawBytesTests {
    private let vault: UnlockedVault

    init() throws {
        vault = try UnlockedVault()
        try vault.set("a", "a secret")
    }

    /// The bytes FF FE, as a shell expression.
    private static let bytes = "$(printf '\\377\\376')"

    @Test(arguments: ["", "--env A=a", "--env A=a --no-masking"]) func runPassesThemOn(_ options: String) throws {
        let run = try vault.sh(
            "cd; b=\(Self.bytes); mkdir \"d$b\"; printf '#!/bin/sh\\nprintf %s \"$0 $*\" | od -An -tx1' >\"d$b/p$b\"; chmod +x \"d$b/p$b\";"
                + " latchkey run \(options) -- printf %s \"x$b\" | od -An -tx1; latchkey run \(options) -- \"d$b/p$b\" \"$b\" é;"
                + " PATH=\"$HOME/d$b:$PATH\" latchkey run \(options) -- \"p$b\" \"$b\" >/dev/null && echo found")
        let lines = run.output.split(separator: "\n")
        #expect(lines == [" 78 ff fe", " 64 ff fe 2f 70 ff fe 20 ff fe 20 c3 a9", "found"], "\(run)")
    }

    @Test func filesAreFoundByThem() throws {
        let run = try vault.sh(
            "cd; b=\(Self.bytes); printf kept >\"f$b\"; printf P=latchkey://a >\"e$b\"; printf 'name,password\\nc,csv\\n' >\"c$b\";"
                + " latchkey set n --preset open --from-file \"f$b\" && latchkey get n; echo;"
                + " latchkey set m --preset open --from-file=\"f$b\" && latchkey get m; echo;"
                + " latchkey run --yes --no-masking --env-file \"e$b\" -- printenv P;"
                + " latchkey import csv --preset open \"c$b\" 2>/dev/null >/dev/null && latchkey get c")
        let opens = "; opens while the vault is unlocked.\n"
        #expect(run.output == "kept\nkept\na secret\ncsv" && run.errors == "Saved n\(opens)Saved m\(opens)", "\(run)")
    }

    @Test func whereTextIsNeededTheyAreRefused() throws {
        let lines = [
            ("latchkey get \"x$b\"", 2, "NAME has to be UTF-8"),
            ("latchkey --vault \"$HOME/x$b\" status", 2, nil), ("latchkey backup \"x$b\"", 2, "FILE has to be UTF-8"),
        ]
        for (line, status, words) in lines {
            let run = try vault.sh("cd; b=\(Self.bytes); \(line); s=$?; ls -A; exit $s")
            #expect(run.status == Int32(status) && run.output.isEmpty, "\(line): \(run)")
            if let words { #expect(run.errors.contains(words), "\(line): \(run.errors)") }
        }
    }

    /// Each folder that can be named is looked for byte by byte, and shown with its bytes.
    @Test func foldersAreLookedForByThem() throws {
        let none = "there is no vault at \(vault.path("x"))\\xFF\\xFE"
        let lines = [
            ("latchkey status --vault \"$HOME/x$b\"", none), ("latchkey status --vault=\"x$b/\"", none),
            ("cd \"d$b\"; latchkey status --vault v", "there is no vault at \(vault.path("d"))\\xFF\\xFE/v"),
            ("LATCHKEY_HOME=\"$HOME/x$b\" latchkey status", none),
            ("LATCHKEY_HOME= HOME=\"$HOME/x$b\" latchkey status", none + "/.local/share/latchkey"),
            ("LATCHKEY_HOME= XDG_DATA_HOME=\"$HOME/x$b\" latchkey status", none + "/latchkey"),
        ]
        for (line, words) in lines {
            let run = try vault.sh("cd; b=\(Self.bytes); mkdir -p \"d$b\"; \(line); s=$?; cd; ls -A | wc -l; exit $s")
            #expect(run.status == 12 && run.output.contains("1") && run.errors.contains(words + ":"), "\(line): \(run)")
        }
    }

    @Test func aVaultThatIsNamedNeedsNoOtherFolder() throws {
        let lines = [
            "HOME=\"$HOME/x$b\" latchkey get a", "XDG_DATA_HOME=\"$HOME/x$b\" latchkey get a",
            "HOME= XDG_DATA_HOME= latchkey get a",
            "LATCHKEY_HOME=\"$HOME/x$b\" latchkey get --vault \"$LATCHKEY_HOME\" a",
        ]
        for line in lines {
            let run = try vault.sh("b=\(Self.bytes); \(line)")
            #expect(run.output == "a secret" && run.status == 0, "\(line): \(run)")
        }
    }

    /// The agent has the environment of the command that started it. Only root can look into an agent.
    @Test(.needsRoot) func theAgentHasThemAsTheyAre() throws {
        let run = try vault.sh(
            """
            latchkey agent stop >/dev/null; b=\(Self.bytes); HOME="$HOME/x$b" latchkey status >/dev/null
            agent=$(latchkey status --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["process"])')
            tr '\\0' '\\n' </proc/$agent/environ | grep -a ^HOME= | od -An -tx1 | tr -d '\\n '
            """)
        #expect(run.output.hasSuffix("2f78fffe0a"), "\(run)")
    }

    @Test func aStoreOfPasswordsIsFoundByThem() throws {
        let lines = [
            "PASSWORD_STORE_DIR=\"$HOME/x$b\" latchkey import pass --dry-run",
            "HOME=\"$HOME/y$b\" latchkey import pass --dry-run", "latchkey import pass --dry-run \"$HOME/x$b\"",
        ]
        for line in lines {
            // This gpg prints the path that it is called with, which becomes the secret.
            let run = try vault.sh(
                """
                cd; b=\(Self.bytes); mkdir -p p "x$b" "y$b/.password-store"; : >"x$b/stored.gpg"; : >"y$b/.password-store/stored.gpg"
                printf '#!/bin/sh\\nfor last; do :; done; test -f "$last" && echo secret\\n' >p/gpg; chmod +x p/gpg
                export PATH="$HOME/p:$PATH"; \(line)
                """)
            #expect(run.status == 0 && run.output.contains("stored"), "\(line): \(run)")
        }
        let none = try vault.sh("b=\(Self.bytes); latchkey import pass --dry-run \"$HOME/none$b\"")
        #expect(none.status != 0 && none.errors.contains("none\\xFF\\xFE"), "\(none)")
    }
}
