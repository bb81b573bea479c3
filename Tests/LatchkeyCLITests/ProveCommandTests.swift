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

    @Test func thePageNamesTheStatusOfABound() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/command-line.md"), encoding: .utf8)
        #expect(page.contains("`latchkey prove` exits with 3 if a search met its bound"))
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
        #expect(driver["name"] as? String == "latchkey" && Set(rules).count == 12)
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

    /// The examples of the page run, with the output that the page shows.
    @Test func theExamplesOfThePageAreCurrent() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/proving.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## Claims in files and on the command line\n").last)
            .components(separatedBy: "\n## ")[0]
        let folder = try TemporaryFolder()
        let yaml = try #require(section.firstMatch(of: #/(?s)```yaml\n(.*?)```/#)).1
        try String(yaml).write(toFile: folder.path("claims.yaml"), atomically: true, encoding: .utf8)
        let blocks = section.matches(of: #/(?s)```console\n\$ latchkey (.*?)\n(.*?)```/#)
        #expect(blocks.count == 2)
        for block in blocks {
            let words = block.1.split(separator: " ").map {
                $0 == "claims.yaml" ? folder.path("claims.yaml") : String($0)
            }
            let result = try Command.run(words)
            #expect(result.output.replacing(folder.path("claims.yaml"), with: "claims.yaml") == block.2)
        }
    }
}
