import Foundation
import PlainText
import TestSupport
import Testing

/// A request and `latchkey prove` with the same words have the same answer.
@Suite(.waitsForProcesses) struct CommandWordsTests {
    static let claims: [(request: String, words: [String])] = [
        (
            #""require":"biometryAny","never":"read","against":"passcode-thief""#,
            ["--require", "biometryAny", "--never", "read", "--against", "passcode-thief"]
        ),
        (
            #""accessible":"afterFirstUnlock","key":true,"require":["biometryAny","or","companion"],"always-can":"sign","against":"watch-thief""#,
            [
                "--accessible", "afterFirstUnlock", "--key", "--require", "biometryAny or companion", "--always-can",
                "sign",
                "--against", "watch-thief",
            ]
        ),
        (
            #""require":"userPresence","device":"mac","contexts":"kept","holds":"just-locked","never":"list","against":"watch-thief""#,
            [
                "--require", "userPresence", "--device", "mac", "--contexts", "kept", "--holds", "just-locked",
                "--never",
                "list", "--against", "watch-thief",
            ]
        ),
        (
            #""require":"biometryAny","stolenDeviceProtection":true,"deletes":false,"reuse":"5m","at-most-prompts":1,"workflow":"read,update""#,
            [
                "--require", "biometryAny", "--stolen-device-protection", "--deletes", "false", "--reuse", "5m",
                "--at-most-prompts", "1", "--workflow", "read,update",
            ]
        ),
        (
            #""accessible":"always","device":"simulator","eventually-can":"read","by":"new-owner""#,
            ["--accessible", "always", "--device", "simulator", "--eventually-can", "read", "--by", "new-owner"]
        ),
        (
            #""require":"biometryCurrentSet","synchronizable":false,"gone-after-enrollment-change":true"#,
            ["--require", "biometryCurrentSet", "--gone-after-enrollment-change"]
        ),
    ]

    @Test(arguments: claims) func theAnswerIsThatOfTheCommand(_ claim: (request: String, words: [String])) throws {
        let run = try Command.run(["prove", "--format", "json"] + claim.words)
        guard case .object(let report) = try JSON(Array(run.output.utf8)), case .array(let claims)? = report["claims"],
            case .object(let expected)? = claims.first
        else {
            Issue.record("\(run.errors)\(run.output)")
            return
        }
        let answer = try Answers.of(#"{"ask":"prove",\#(claim.request)}"#)
        for member in ["claim", "answer", "situations", "depth", "moves", "assumptions", "reliesOnBackup"] {
            #expect(answer[member] == expected[member], "\(member)")
        }
    }

    /// A wrong word has the message of the command, without the command's advice.
    @Test(arguments: [
        (#""never":"read","against":"theif""#, ["--never", "read", "--against", "theif"]),
        (#""require":"biometry","never":"read","against":"owner""#, ["--require", "biometry", "--never", "read"]),
        (#""device":"iphone","never":"read","against":"owner""#, ["--device", "iphone", "--never", "read"]),
        (
            #""require":"userPresence companion","never":"read","against":"owner""#,
            ["--require", "userPresence companion", "--never", "read", "--against", "owner"]
        ),
    ])
    func theMessageIsThatOfTheCommand(_ request: String, _ words: [String]) throws {
        let run = try Command.run(["prove"] + words)
        guard case .object(let reply) = try Answers.reply(#"{"ask":"prove",\#(request)}"#),
            case .string(let message)? = reply["error"]
        else {
            Issue.record("no error for \(request)")
            return
        }
        // The command knows more profiles than the page, which has no account, so that its list differs.
        let end = message.contains("profile") ? message.firstRange(of: ": use ")?.lowerBound : nil
        #expect(run.errors.contains(message[..<(end ?? message.endIndex)]), "\(run.errors)")
    }
}
