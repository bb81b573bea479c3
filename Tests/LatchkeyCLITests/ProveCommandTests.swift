import Foundation
import PolicyProver
import TestSupport
import Testing

/// `latchkey prove`, run as a user would run it.
@Suite(.waitsForProcesses) struct ProveCommandTests {
    private func run(_ arguments: String...) throws -> Command.Run { try Command.run(["prove"] + arguments) }

    private static let claims = """
        name: the token keeps thieves out
        items:
          token: { accessible: whenPasscodeSetThisDeviceOnly, require: biometryCurrentSet }
          spare: { accessible: whenUnlockedThisDeviceOnly, require: biometryAny }
        claims:
          - { never: read, item: token, against: passcode-thief }
          - { never: read, item: spare, against: passcode-thief }

        """

    /// Writes a file with `text`. The returned folder removes it in the end.
    private func file(_ text: String = claims) throws -> (path: String, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let path = folder.path("claims.yaml")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return (path, folder)
    }

    @Test func aClaimThatFallsIsToldStepByStep() throws {
        let (path, folder) = try file()
        defer { withExtendedLifetime(folder) {} }
        let result = try run(path)
        #expect(result.status == 1)
        #expect(result.output.contains("holds  never read against passcode-thief, of token  \(path):6\n"))
        #expect(result.output.contains("fails  never read against passcode-thief, of spare  \(path):7\n"))
        #expect(result.output.contains("       2. passcode-thief enrolls a finger of their own\n"))
        #expect(result.output.hasSuffix("1 claim as expected, 1 not\n"))
        #expect(try run(path).output == result.output)
    }

    @Test func statuses() throws {
        let policy = ["--require", "biometryAny", "--against", "passcode-thief"]
        #expect(try Command.run(["prove"] + policy + ["--never", "read"]).status == 1)
        #expect(try run("--require", "biometryCurrentSet", "--never", "read", "--against", "snatcher").status == 0)
        #expect(
            try run(
                "--require", "biometryCurrentSet", "--never", "read", "--against", "snatcher", "--most-situations", "2"
            )
            .status == 3)
        #expect(try run("--shipped").status == 0)
        #expect(try run("/nowhere.yaml").status == 2)
        let page = try String(contentsOf: Repository.root.appending(path: "docs/command-line.md"), encoding: .utf8)
        #expect(page.contains("`latchkey prove` exits with 3 if a search met its bound"))
    }

    @Test(arguments: [
        ([], "name a file with claims, or a claim such as --never read"),
        (["--never", "raed", "--against", "owner"], "unknown aim \"raed\": did you mean read?"),
        (["--never", "read", "--against", "ower"], "unknown profile \"ower\": did you mean owner?"),
        (["--never", "read"], "--never needs --against PROFILE"),
        (["--never", "read", "--by", "owner"], "--by does not go with --never"),
        (["--never", "use", "--against", "owner"], "only a private key is used: make a claim about read"),
        (["--at-most-prompts", "1"], "--at-most-prompts needs --workflow"),
        (["--require", "biometryAny"], "state a claim: --never"),
        (["--never", "read", "x.yaml"], "--never does not go with a file"),
        (
            ["--never", "read", "--against", "snatcher", "--holds", "just-locked"],
            "\"holds\" applies only to an attacker who gets the device locked, and snatcher does not"
        ),
        (
            ["--never", "read", "--against", "snatcher", "--contexts", "kpet"],
            "unknown assumption \"kpet\": did you mean kept?"
        ),
        (["--shipped", "x.yaml"], "--shipped does not go with a file"),
        (
            ["--never", "read-file", "--against", "snatcher"],
            "read-file is about a file: name its protection class with --file"
        ),
        (
            ["--never", "read", "--against", "snatcher", "--file", "none"],
            "a claim about a file has one of the aims read-file, create-file, append-file"
        ),
        (
            ["--never", "read-file", "--against", "snatcher", "--file", "none", "--require", "none"],
            "--require is about an item, and does not go with --file"
        ),
        (
            ["--never", "read-file", "--against", "snatcher", "--excluded-from-backup"],
            "--excluded-from-backup needs --file with a protection class"
        ),
        (
            ["--never", "read-file", "--against", "snatcher", "--file", "none", "--reuse", "5m"],
            "--reuse is about prompts, and no prompt opens a file"
        ),
        (["--shipped", "--format", "sraif"], "unknown format \"sraif\": did you mean sarif?"),
        (["--shipped", "--most-situations", "0"], "--most-situations needs a number of situations"),
    ]) func isRefused(arguments: [String], message: String) throws {
        let result = try Command.run(["prove"] + arguments)
        #expect(result.status == 2)
        #expect(result.errors.hasPrefix("latchkey: \(message)"), "\(result.errors)")
    }

    /// Claims about files, and attacks that play on a vault.
    @Test func aClaimAboutAFileIsProvedAndPlayed() throws {
        let closed = try run("--file", "complete", "--never", "read-file", "--against", "watch-thief")
        #expect(closed.status == 0)
        #expect(closed.output.hasPrefix("holds  never read-file against watch-thief, of file\n"))

        let folder = try TemporaryFolder()
        let story = folder.path("story.yaml")
        let open = try run(
            "--file", "completeUnlessOpen", "--held-open", "--never", "read-file", "--against", "watch-thief", "--save",
            story)
        #expect(open.status == 1)
        #expect(open.output.contains("The device is locked. The app holds the file open.\n"))
        #expect(open.output.contains("1. watch-thief has the app read the file\n          because: file.held-open\n"))
        #expect(try Command.run("test", story).output.hasPrefix("1 passed;"))

        let backup = ["--file", "complete", "--never", "read-file", "--against", "backup-thief"]
        #expect(try Command.run(["prove"] + backup).status == 1)
        #expect(try Command.run(["prove"] + backup + ["--excluded-from-backup"]).status == 0)

        let (path, files) = try file(
            """
            name: the journal
            files: { journal: complete, upload: { protection: completeUnlessOpen, open: true } }
            claims:
              - { never: read-file, file: journal, against: watch-thief }
              - { always-can: append-file, file: upload, by: background-app, against: watch-thief, expect: fails }

            """)
        defer { withExtendedLifetime(files) {} }
        let proved = try run(path)
        #expect(proved.status == 0)
        #expect(proved.output.contains("holds  never read-file against watch-thief, of journal  \(path):4\n"))
        #expect(proved.output.contains("2. background-app has the app write to the file, and is denied\n"))
        let json = try run(path, "--format", "json")
        #expect(json.output.contains("\"rules\": [\"file.before-first-unlock\"]"))
    }

    /// A table for each kind of file that scenarios declare.
    @Test func threatsToFilesAreShown() throws {
        let (path, folder) = try file(
            "name: x\nfiles: { journal: complete, diary: complete }\nitems: { token: }\nsteps: [lock]\n")
        defer { withExtendedLifetime(folder) {} }
        let shown = try Command.run("threats", path, "--against", "snatcher", "--aim", "read-file")
        #expect(shown.status == 0 && shown.errors.isEmpty && !shown.output.contains("token"))
        #expect(shown.output.hasPrefix("journal, diary: file, complete\n"))
        #expect(shown.output.contains(/watch-thief +never · H 1 step +/))
        #expect(shown.output.contains("  1. snatcher has the app read the file (because file.class-open)\n"))
    }

    /// `latchkey test` runs the saved attacks, and they pass.
    @Test func aStoryThatIsSavedIsPlayed() throws {
        let (path, folder) = try file()
        let story = folder.path("story.yaml")
        #expect(try run(path, "--save", story).status == 1)
        let played = try Command.run("test", story)
        #expect(played.status == 0)
        #expect(played.output.hasPrefix("1 passed;"))
        // A claim that holds has no attack to write.
        let none = folder.path("none.yaml")
        let claim = ["--require", "biometryCurrentSet", "--never", "read", "--against", "snatcher", "--save", none]
        #expect(try Command.run(["prove"] + claim).status == 0)
        #expect(!FileManager.default.fileExists(atPath: none))
    }

    /// `latchkey test` does not pass claims that it did not check.
    @Test func claimsAreNotPlayed() throws {
        let (path, folder) = try file()
        defer { withExtendedLifetime(folder) {} }
        let result = try Command.run("test", path)
        #expect(result.status == 2)
        #expect(
            result.errors == "latchkey: these files have no steps, only 2 claims: prove them with `latchkey prove`\n")
    }

    /// If a file also has steps, one line says that its claims were not checked. That is not an error.
    @Test(arguments: ["human", "tap", "junit", "json", "github", "html"]) func claimsBesideStepsTakeOneLine(
        format: String
    )
        throws
    {
        let (path, folder) = try file(Self.claims + "steps: [lock]\n")
        defer { withExtendedLifetime(folder) {} }
        let result = try Command.run("test", path, "--format", format)
        let line = "2 claims not checked: prove them with `latchkey prove`\n"
        #expect(result.status == 0)
        #expect((format == "human" ? result.output : result.errors).hasSuffix(line))
        #expect(format == "human" ? result.errors.isEmpty : result.errors == line)
    }

    /// A preset device, with Stolen Device Protection on.
    @Test func theftProtectionIsAsked() throws {
        let claim = ["prove", "--require", "biometryAny", "--never", "read", "--against", "passcode-thief"]
        #expect(try Command.run(claim).status == 1)
        #expect(try Command.run(claim + ["--stolen-device-protection"]).status == 0)
        #expect(
            try Command.run(["threats", "--require", "biometryAny", "--stolen-device-protection"]).output
                .contains(/passcode-thief +never/))
        let (path, folder) = try file(Self.claims + "device: { stolenDeviceProtection: true }\n")
        defer { withExtendedLifetime(folder) {} }
        #expect(try run(path).output.contains("holds  never read against passcode-thief, of spare"))
    }

    /// The rows for a Mac say what the model leaves out.
    @Test func autoUnlockIsNamed() throws {
        for command in ["threats", "matrix"] {
            let policy = [command, "--require", "companion"]
            #expect(try Command.run(policy + ["--device", "mac"]).output.contains("Auto Unlock is not modeled"))
            #expect(try !Command.run(policy).output.contains("Auto Unlock"))
        }
    }

    @Test(arguments: ["human", "json", "junit", "github", "sarif"]) func everyFormatNamesWhatFell(format: String) throws
    {
        let (path, folder) = try file()
        defer { withExtendedLifetime(folder) {} }
        let result = try run(path, "--format", format)
        #expect(result.status == 1)
        #expect(result.output.contains("never read against passcode-thief"))
        switch format {
        case "json":
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
            #expect(object["otherwise"] as? Int == 1 && object["asExpected"] as? Int == 1)
            #expect((object["claims"] as? [[String: Any]])?.map { $0["answer"] as? String } == ["holds", "fails"])
        case "junit": #expect(result.output.contains("tests=\"2\" failures=\"1\" errors=\"0\""))
        case "github":
            #expect(result.output.hasPrefix("::notice file=\(path),line=6,col=5,title="))
            #expect(result.output.contains("\n::error file=\(path),line=7,col=5,title="))
        case "sarif": try requireSARIF(result.output, path)
        default: break
        }
    }

    /// Every report names the assumptions, in the words of files and options.
    @Test(arguments: ["human", "json", "junit", "github", "sarif"]) func everyFormatNamesWhatIsAssumed(
        format: String
    ) throws {
        let claim = ["--never", "read", "--against", "watch-thief", "--format", format]
        let object = #"{"deletes": true, "contexts": "kept", "holds": "just-locked"}"#
        let result = try Command.run(
            ["prove", "--require", "biometryAny", "--contexts", "kept", "--holds", "just-locked"] + claim)
        #expect(result.status == 1)
        switch format {
        case "json": #expect(result.output.contains("\"assumptions\": \(object)"))
        case "sarif": #expect(result.output.contains("\"properties\": {\"assumptions\": \(object)}"))
        default: #expect(result.output.contains("deletes: true, contexts: kept, holds: just-locked"))
        }
    }

    /// The report on a claim that holds names the assumptions and the device, too.
    @Test(arguments: ["human", "json", "junit", "github", "sarif"]) func everyFormatNamesWhatHoldsGoesBy(
        format: String
    ) throws {
        let claim = ["--always-can", "read", "--against", "borrower", "--stolen-device-protection"]
        let result = try Command.run(
            ["prove", "--require", "userPresence", "--deletes", "false", "--format", format] + claim)
        #expect(result.status == 0)
        switch format {
        case "json", "sarif":
            #expect(result.output.contains(#""deletes": false, "#))
            #expect(result.output.contains(#""stolenDeviceProtection": true}"#))
        default: #expect(result.output.contains(/deletes: false, .*stolenDeviceProtection: true/))
        }
    }

    /// Only an iPhone has Stolen Device Protection.
    @Test(arguments: ["mac", "simulator"]) func theftProtectionIsOfPhones(device: String) throws {
        let policy = ["threats", "--accessible", "whenUnlocked"]
        let message = "\(device) has no Stolen Device Protection: only an iPhone has it"
        let asked = try Command.run(policy + ["--device", device, "--stolen-device-protection"])
        #expect(asked.status == 2 && asked.errors.hasPrefix("latchkey: \(message)"), "\(asked.errors)")
        let (path, folder) = try file(
            Self.claims + "device: { preset: \(device), stolenDeviceProtection: true }\n")
        defer { withExtendedLifetime(folder) {} }
        let result = try run(path)
        #expect(result.status == 2 && result.errors.contains(message), "\(result.errors)")
        #expect(try !Command.run(policy + ["--device", device]).output.contains("stolenDeviceProtection"))
        #expect(try Command.run(policy).output.contains("P with stolenDeviceProtection: true"))
    }

    /// Each command that uses the setting says so.
    @Test(arguments: [
        ["threats", "--require", "biometryAny"], ["compare", "biometryAny", "userPresence"],
        ["graph", "--require", "biometryAny", "--against", "borrower"],
        ["suggest", "--never", "read", "--against", "backup-thief"],
    ]) func theSettingIsNamed(command: [String]) throws {
        let named = "stolenDeviceProtection: true"
        let result = try Command.run(command + ["--stolen-device-protection"])
        #expect(result.status == 0 && result.output.contains(named), "\(result.errors)")
        // Without the option, only the table of threats names it, among the assumptions that change a result.
        #expect(try Command.run(command).output.contains(named) == (command[0] == "threats"))
    }

    /// Without privateKeyUsage, nothing could use the private key, and every claim would hold.
    @Test func aKeyHasItsUseGuarded() throws {
        let claim = ["prove", "--require", "biometryAny", "--never", "use", "--against", "passcode-thief"]
        let result = try Command.run(claim + ["--key"])
        #expect(result.status == 1)
        #expect(result.output.contains("fails  never use against passcode-thief"))
        let flags = ["prove", "--require", "biometryAny privateKeyUsage"] + claim.dropFirst(3)
        #expect(try Command.run(flags).output == result.output)
    }

    /// Options state the same assumptions as files, and change the result.
    @Test func optionsStateWhatIsAssumed() throws {
        let claim = ["prove", "--require", "userPresence", "--always-can", "read", "--against", "borrower"]
        #expect(try Command.run(claim).status == 1)
        #expect(try Command.run(claim + ["--deletes", "false"]).status == 0)
        let thief = ["prove", "--require", "userPresence", "--never", "read", "--against", "snatcher"]
        #expect(try Command.run(thief).status == 0)
        #expect(try Command.run(thief + ["--contexts", "kept"]).status == 1)
        let open = ["prove", "--never", "read", "--against", "watch-thief"]
        #expect(try Command.run(open).status == 0)
        #expect(try Command.run(open + ["--holds", "just-locked"]).status == 1)
    }

    /// Options, files and the page on proving have the same list of assumptions.
    @Test func whatCanBeAssumedIsOneList() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/proving.md"), encoding: .utf8)
        let keys = try Command.run("test", "--keys").output
        for assumption in Assumption.allCases {
            let words = assumption.words.map { "`\($0)`" }.joined(separator: ", ")
            #expect(page.contains("| `\(assumption.rawValue)` | \(words) | \(assumption.about) |"))
            #expect(keys.contains("assumed: \(assumption.about)"))
            for command in ["prove", "threats", "compare", "suggest", "graph"] {
                let help = try Command.run(command, "--help").output
                #expect(help.contains("--\(assumption.rawValue) WORD"), "\(command)")
            }
        }
    }

    /// Checks what SARIF requires: each rule once, and each result with its rule and its place.
    private func requireSARIF(_ text: String, _ path: String) throws {
        let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        let rules = try #require(driver["rules"] as? [[String: Any]]).map { $0["id"] as? String }
        #expect(driver["name"] as? String == "latchkey" && Set(rules).count == 11)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.map { $0["kind"] as? String } == ["pass", "fail"])
        #expect(results.map { $0["level"] as? String } == ["none", "error"])
        for (result, line) in zip(results, [6, 7]) {
            #expect(rules[try #require(result["ruleIndex"] as? Int)] == result["ruleId"] as? String)
            #expect((result["properties"] as? [String: Any])?["assumptions"] is [String: Any])
            #expect((result["message"] as? [String: Any])?["text"] is String)
            let location = try #require((result["locations"] as? [[String: Any]])?.first)
            let place = try #require(location["physicalLocation"] as? [String: Any])
            #expect((place["artifactLocation"] as? [String: Any])?["uri"] as? String == "file://\(path)")
            #expect((place["region"] as? [String: Any])?["startLine"] as? Int == line)
        }
    }

    /// The examples of the page run, with the output that the page shows. A line of three dots leaves out the rest.
    @Test func theExamplesOfThePageAreCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/proving.md"), encoding: .utf8)
        let folder = try TemporaryFolder()
        let path = folder.path("claims.yaml")
        let files = page.matches(of: #/(?s)```yaml\n(.*?)```/#).map { String($0.1) }.filter { $0.contains("claims:") }
        #expect(files.count == 2)
        // The consoles show the first one.
        for file in files.reversed() {
            try file.write(toFile: path, atomically: true, encoding: .utf8)
            let result = try run(path)
            #expect(result.status == 0, "\(result)")
        }
        let blocks = page.matches(of: #/(?s)```console\n\$ latchkey (.*?)\n(.*?)```/#)
        #expect(blocks.count == 3)
        for block in blocks {
            let words = block.1.split(separator: " ").map { $0 == "claims.yaml" ? path : String($0) }
            let output = try Command.run(words).output.replacing(path, with: "claims.yaml")
            let shown = String(block.2)
            if shown.hasSuffix("\n…\n") {
                #expect(output.hasPrefix(shown.dropLast(2)))
            } else {
                #expect(output == shown)
            }
        }
    }
}
