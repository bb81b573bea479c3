import Foundation
import PlainText
import TestSupport
import Testing

/// The policies that satisfy goals, as `latchkey suggest` finds them.
@Suite(.waitsForProcesses) struct SuggestTests {
    /// Requests, and the words of the command that mean the same.
    static let examples: [(request: String, words: [String])] = [
        (
            #""claims":[{"never":"read","against":"borrower"},{"eventually-can":"list","by":"borrower"}]"#,
            ["never read against borrower", "eventually-can list by borrower"]
        ),
        (
            #""claims":[{"eventually-can":"destroy","by":"borrower"},{"eventually-can":"read","by":"borrower"},{"never":"read","against":"borrower"}]"#,
            [
                "eventually-can destroy by borrower", "eventually-can read by borrower",
                "never read against borrower",
            ]
        ),
        (#""claims":[{"never":"destroy","against":"borrower"}]"#, ["never destroy against borrower"]),
        (
            #""key":true,"contexts":"kept","claims":[{"never":"list","against":"borrower"},{"never":"use","against":"malicious-app"}]"#,
            ["--key", "--contexts", "kept", "never list against borrower", "never use against malicious-app"]
        ),
        (
            #""device":"simulator","claims":[{"eventually-can":"read"}]"#,
            ["--device", "simulator", "eventually-can read by owner"]
        ),
    ]

    static var requests: [String] { examples.map { $0.request } }

    static func request(_ members: String) -> String { #"{"ask":"suggest",\#(members)}"# }

    @Test(arguments: examples) func theAnswerIsThatOfTheCommand(_ example: (request: String, words: [String])) throws {
        let run = try Command.run(["suggest", "--format", "json"] + example.words)
        guard case .object(let expected) = try JSON(Array(run.output.utf8)),
            case .array(let candidates)? = expected["candidates"]
        else {
            Issue.record("\(run.errors)\(run.output)")
            return
        }
        let answer = try Answers.of(Self.request(example.request))
        for member in ["claims", "clash", "undecided", "policies", "situations"] {
            #expect(answer[member] == expected[member], "\(member)")
        }
        guard case .array(let found)? = answer["candidates"] else {
            Issue.record("no candidates")
            return
        }
        #expect(found.count == candidates.count && found.isEmpty == (run.status == 1))
        for (mine, theirs) in zip(found, candidates) {
            guard case .object(let mine) = mine, case .object(let theirs) = theirs,
                case .object(let prompts)? = theirs["prompts"]
            else {
                Issue.record("not an object")
                continue
            }
            #expect(mine["policy"] == theirs["policy"] && mine["others"] == theirs["others"])
            #expect(mine["existsOn"] == theirs["existsOn"])
            let devices = "\(mine["existsOn"] ?? .null)"
            #expect("\(mine["policy"] ?? .null)".contains("companion") == devices.contains("never with an Apple Watch"))
            #expect(mine["prompts"] == prompts["atHand"])
            guard case .array(let failures)? = mine["failures"] else {
                Issue.record("no failures")
                continue
            }
            #expect(failures.count == prompts.values.filter { $0 == .null }.count)
        }
    }

    @Test func aCandidateIsAPolicyToChoose() throws {
        let answer = try Answers.of(Self.request(#""claims":[{"never":"read","against":"borrower"}]"#))
        guard case .array(let candidates)? = answer["candidates"], !candidates.isEmpty else {
            Issue.record("no candidates")
            return
        }
        for case .object(let candidate) in candidates {
            let words = JSON.object([
                "accessible": candidate["accessible"] ?? .null, "require": candidate["require"] ?? .null,
                "ask": .string("policy"),
            ])
            #expect(try Answers.of(words.text)["policy"] == candidate["policy"])
        }
    }

    /// Mistakes, with the whole message.
    static let mistakes: [(request: String, message: String)] = [
        (
            #""claims":[]"#,
            #"suggest takes claims, a list of 1 to 20 such as {"never": "read", "against": "passcode-thief"}"#
        ),
        (
            #""key":false"#,
            #"suggest takes claims, a list of 1 to 20 such as {"never": "read", "against": "passcode-thief"}"#
        ),
        (
            #""claims":["never read against owner"]"#,
            #"a request is an object, such as {"never": "read", "against": "passcode-thief"}"#
        ),
        (
            #""claims":[{"never":"read","against":"owner","because":"x"}]"#, #"unknown member "because""#
        ),
        (
            #""claims":[{"never":"read","against":"thief"}]"#, #"unknown profile "thief""#
        ),
        (
            #""claims":[{"never":"read","against":"owner"},{"never":"use","against":"owner"}]"#,
            "a private key is used, and any other item is read: no policy is about both"
        ),
        (#""key":true,"claims":[{"never":"read","against":"owner"}]"#, "a private key is used, never read"),
        (
            #""companion":"away","claims":[{"never":"read","against":"owner"}]"#,
            "suggest takes no companion and no reuse: the owner wears the watch, and contexts are fresh"
        ),
        (#""require":"biometryAny","claims":[{"never":"read","against":"owner"}]"#, #"unknown member "require""#),
    ]

    @Test(arguments: mistakes) func aMistakeNamesTheWord(_ mistake: (request: String, message: String)) throws {
        guard case .object(let reply) = try Answers.reply(Self.request(mistake.request)),
            case .string(let error)? = reply["error"]
        else {
            Issue.record("no error")
            return
        }
        #expect(error.hasPrefix(mistake.message), "\(error)")
    }
}
