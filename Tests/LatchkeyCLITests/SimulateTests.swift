import Foundation
import LivePage
import PlainText
import PolicyAnswers
import PolicyScenarios
import TestSupport
import Testing

/// `latchkey simulate --serve`, as a person, a Python program and a JavaScript program use it.
@Suite(.waitsForProcesses) struct SimulateTests {
    /// A running `latchkey simulate`.
    final class Serving {
        private let process = Process()
        private let output = Pipe()
        private let errors = Pipe()
        /// The address that it printed.
        let address: String

        init(_ arguments: String...) throws {
            Command.set(process, toRun: Command.binary, ["simulate", "--serve"] + arguments)
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            var said = ""
            while !said.contains("\n") {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                said += String(decoding: more, as: UTF8.self)
            }
            address = said.trimmingCharacters(in: .newlines)
        }

        deinit {
            if process.isRunning {
                process.terminate()
                process.waitUntilExit()
            }
        }

        /// Presses Ctrl-C. Returns the exit status and what it said on standard error.
        func stop() throws -> (status: Int32, errors: String) {
            process.interrupt()
            let said = try errors.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            return (process.terminationStatus, String(decoding: said, as: UTF8.self))
        }

        func get(_ path: String) throws -> (status: Int, text: String) { try LoopbackClient.ask(address, path) }

        func post(_ path: String, _ body: String) throws -> (status: Int, text: String) {
            try LoopbackClient.ask(address, path, body: body)
        }
    }

    private static func support(_ name: String) -> String {
        Repository.root.appending(path: "Tests/Support/\(name)").path
    }

    static let python = URL(filePath: "/usr/bin/python3")
    static let node = URL(filePath: "/usr/bin/node")
    static let hasPython = FileManager.default.isExecutableFile(atPath: python.path)
    static let hasNode = FileManager.default.isExecutableFile(atPath: node.path)

    @Test func itServesUntilControlC() throws {
        let serving = try Serving()
        #expect(serving.address.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//) != nil)
        let page = try serving.get("")
        #expect(page.status == 200 && page.text.contains("<title>Latchkey: a simulated device</title>"))
        #expect(try serving.get("live.js").text.contains("EventSource"))
        let (status, errors) = try serving.stop()
        #expect(status == 0)
        #expect(
            errors
                == "Open this address in a browser. The page only shows; add --drive to change the device. Press Ctrl-C to stop.\n"
        )
    }

    @Test func withoutDriveItOnlyShows() throws {
        let serving = try Serving()
        let before = try serving.get("state").text
        for path in ["device", "steps"] {
            let refused = try serving.post(path, #"{"erase":null}"#)
            #expect(refused.status == 403)
            #expect(
                refused.text
                    == #"{"error":"This page only shows the device. To change it, run: latchkey simulate --serve --drive"}"#
            )
        }
        #expect(try serving.get("state").text == before)
        #expect(try serving.get("history").text.contains(#""drives":false"#))
        #expect(try serving.get("steps").status == 405)
        #expect(try serving.stop().status == 0)
    }

    @Test func theStepsOfAFileAreShown() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try Data(
            """
            name: the owner reads
            for each: [{ flags: biometryAny }, { flags: devicePasscode }]
            items: { token: { require: $flags } }
            steps:
              - { read: token, expect: { granted: biometry } }
              - { backup: encrypted }
              - { erase: , by: stranger, expect: refused }
            """.utf8
        ).write(to: URL(filePath: folder.path("a.yaml")))
        let serving = try Serving(folder.path("a.yaml"), "--drive")
        let history = try serving.get("history").text
        #expect(history.hasPrefix(#"{"title":"the owner reads","drives":true,"#))
        #expect(history.contains(#""number":1,"words":"read token","outcome":"granted by biometry","succeeded":true"#))
        #expect(history.contains(#""policy":"whenUnlocked, biometryAny""#))
        // The log is that of the vault.
        #expect(history.contains(#""kind":"granted","action":"readData","caller":"com.example.app","item":"token""#))
        // A context is known in later requests too.
        #expect(
            try serving.post("steps", #"{"read":"token","context":"c"}"#).text.contains("granted by biometry"))
        let invalidated = try serving.post("steps", #"[{"invalidate":"c"},{"read":"token","context":"c"}]"#)
        #expect(invalidated.text.contains("denied by context.invalidated"))
        #expect(
            try serving.post("steps", #"{"invalidate":"d"}"#).text.contains(
                #"unknown context \"d\": did you mean c?"#)
        )
        #expect(
            try serving.post("steps", #"{"read":"token","times":20000}"#).text.contains("more than 10000 steps"))
        #expect(try serving.post("steps", "[").status == 400)
        #expect(try serving.post("device", #"{"device":{"passcode":"none","enrolled":["x"]}}"#).status == 400)
        #expect(try serving.get("state").text.contains(#""sensor":"touchID""#), "the device is as it was")
        #expect(try serving.stop().status == 0)
    }

    @Test func theDocumentedRequestsAreThese() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/live.md"), encoding: .utf8)
        let shown: [LiveRequest] = [.state, .history, .events, .schema, .device, .steps, .prove]
        #expect(LiveRequest.allCases.filter { !shown.contains($0) } == [.page, .style, .script])
        let rows = shown.map { "| `\($0.method)` `\($0.path)` | \($0.says) |\n" }
        #expect(page.contains("| --- | --- |\n" + rows.joined() + "\n"))
    }

    @Test func aPageThatOnlyShowsProvesAsThePlaygroundDoes() throws {
        let serving = try Serving()
        let claims = [
            #""require":"biometryAny","never":"read","against":"passcode-thief""#,
            #""require":["biometryCurrentSet"],"eventually-can":"read","by":"owner","deletes":false"#,
            #""require":"biometryAny","gone-after-enrollment-change":true,"device":"iPhoneWithFaceID""#,
            #""key":true,"require":"devicePasscode","always-can":"use","by":"owner","against":"snatcher""#,
            #""require":"userPresence","at-most-prompts":1,"workflow":"read,read","reuse":"10s""#,
        ]
        for claim in claims {
            let reply = try serving.post("prove", "{\(claim)}")
            #expect(reply.status == 200, "\(reply)")
            let engine = answer(Array(#"{"ask":"prove",\#(claim)}"#.utf8))
            guard case .object(let members) = try JSON(engine), let expected = members["answer"] else {
                Issue.record("no answer to \(claim)")
                continue
            }
            #expect(try JSON(Array(reply.text.utf8)) == expected, "\(claim)")
        }
        for (wrong, word) in [
            (#"{"never":"raed","against":"owner"}"#, "unknown aim \\\"raed\\\": did you mean read?"),
            (#"{"require":"biometry","never":"read","against":"owner"}"#, "unknown flag \\\"biometry\\\""),
            (#"{"ask":"words","never":"read","against":"owner"}"#, "unknown member \\\"ask\\\""),
            ("{", "the request is not JSON"),
            ("[]", "a request is an object"),
            ("{}", "state a claim"),
        ] {
            let refused = try serving.post("prove", wrong)
            #expect(refused.status == 400 && refused.text.contains(word), "\(wrong): \(refused.text)")
        }
        #expect(try serving.get("prove").status == 405)
        #expect(try serving.stop().status == 0)
    }

    @Test func theSchemaOfAClaimNamesEveryMemberThatTheProverReads() throws {
        // Each member alone is known: the mistake is another one.
        for member in LiveProver.members {
            let answer = String(decoding: answer(Array(#"{"ask":"prove","\#(member.name)":null}"#.utf8)), as: UTF8.self)
            #expect(answer.contains("state a claim"), "\(member.name): \(answer)")
        }
    }

    @Test func aFileWithMistakesIsNotServed() throws {
        let folder = try TemporaryFolder(inMemory: true)
        try Data("items: { token: { require: biometryCurentSet } }".utf8).write(
            to: URL(filePath: folder.path("a.yaml")))
        let run = try Command.run("simulate", folder.path("a.yaml"), "--serve")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(
            run.errors.contains("a.yaml:1:28: unknown flag \"biometryCurentSet\": did you mean biometryCurrentSet?"))
        #expect(try Command.run("simulate", folder.path("none.yaml"), "--serve").status == 2)
        #expect(try Command.run("simulate").errors.contains("simulate needs --serve"))
        #expect(try Command.run("simulate", "--schema", "--drive").status == 2)
    }

    @Test(.enabled(if: hasPython, "skipped: needs python3"))
    func aPythonProgramDrivesIt() throws {
        let folder = try TemporaryFolder(inMemory: true)
        let serving = try Serving("--drive")
        let run = try Command.run(
            [Self.support("LiveClient/latchkey_live.py"), serving.address, folder.path("replies")], program: Self.python
        )
        #expect(run.errors == "")
        #expect(
            run.output == """
                a device of Python
                1. read token: granted by biometry; class.open proof.needed class.open evidence.counts way.proved
                2. read token by thief: denied by sheet.failed; class.open proof.needed
                3. enroll left thumb by thief: happened; 
                4. read token by thief: denied by biometry.current-set.changed; class.open biometry.current-set.changed
                   expected granted, got denied by biometry.current-set.changed
                5. open journal: granted; file.class-open
                6. lock: happened; 
                7. wait 11s: happened; 
                8. append journal: denied by file.held-when-locked; file.held-when-locked
                9. exists class genericPassword: denied by item.not-found; item.not-found
                locked 11s absent
                request:1:3: a step has no key "raed": did you mean read?
                request:1:2: "include" does not go with a new device: leave it out
                There is no such path: docs/live.md lists them.
                fails 105 180 passcode-thief types the passcode; passcode-thief enrolls a finger of their own; passcode-thief has the app read the secret, authenticates with biometry {"contexts": "fresh", "deletes": true, "holds": "long-locked"}
                holds
                unknown profile "passcode-thieff": did you mean passcode-thief?

                """)
        #expect(try serving.stop().status == 0)
        // Each reply is as its definition says, by a validator that is not ours.
        let schema = try Command.run("simulate", "--schema")
        try Data(schema.output.utf8).write(to: URL(filePath: folder.path("schema")))
        let check = try Command.run(
            [Self.support("LiveClient/check_replies.py"), folder.path("schema"), folder.path("replies")],
            program: Self.python)
        #expect(
            check.status == 0 && check.errors == "", "Scripts/install-packages test installs what the validator needs")
        #expect(check.output == "21 replies are valid; used: error, history, played, proof, state, step-played\n")
    }

    @Test(.enabled(if: hasNode, "skipped: needs node"))
    func aJavaScriptProgramDrivesIt() throws {
        let serving = try Serving("--drive")
        let run = try Command.run(
            [Self.support("LiveClient/latchkey_live.mjs"), serving.address], program: Self.node)
        #expect(run.errors == "")
        #expect(
            run.output == """
                history
                a device of JavaScript faceID
                history
                1. enroll twin: happened
                2. lock: happened
                3. wait 1m: happened
                4. unlock passcode 1234: happened
                5. read token: denied by biometry.current-set.changed
                denied by biometry.current-set.changed: a finger or face was added or removed since the item was stored; store the item, or store it again (store); 1m
                request:1:9: unknown item "nothing": use token
                fails 3
                unknown member "requires": did you mean require?

                """)
        #expect(try serving.stop().status == 0)
    }
}
