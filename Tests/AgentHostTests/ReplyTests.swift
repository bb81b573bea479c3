import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing
import UserPresence

extension AgentTests {
    /// The replies of a running agent keep their spelling.
    @Suite struct ReplyTests {
        /// Members whose values differ from run to run.
        private static let varying: Set<String> = [
            "vault", "process", "pid", "parent-pid", "uid", "program", "parent", "time", "last", "created", "modified",
            "executable", "parent-executable", "limit-troubles", "sleep-trouble", "text", "message",
            "fingerprint", "public", "signature", "saved", "deleted",
        ]

        /// Returns the text of `value` without the values that vary.
        private static func form(_ value: JSON, in name: String = "") -> String {
            if varying.contains(name) { return "\"…\"" }
            switch value {
            case .object(let members):
                let texts = members.sorted { $0.key < $1.key }.map { "\($0.key):\(form($0.value, in: $0.key))" }
                return "{" + texts.joined(separator: ",") + "}"
            case .array(let values): return "[" + values.map { form($0) }.joined(separator: ",") + "]"
            case .null, .bool, .number, .string: return value.text
            }
        }

        /// Requests with the answers to their prompts.
        private static func requests(_ backup: String) -> [(head: String, answers: [String: String])] {
            let answers = RequestTests.answers.merging([
                "new-passphrase": "a long passphrase", "passphrase": "a long passphrase",
            ]) { $1 }
            let heads = [
                #"{"do":"status"}"#, #"{"do":"unlock"}"#, #"{"do":"status"}"#,
                #"{"do":"add","name":"a","comment":"c","policy":\#(RequestTests.always)}"#,
                #"{"do":"add","name":"b","policy":\#(RequestTests.passcode)}"#, #"{"do":"list"}"#,
                #"{"do":"show","name":"a"}"#, #"{"do":"show","name":"b"}"#, #"{"do":"read","name":"a"}"#,
                #"{"do":"change","name":"a","comment":"d"}"#, #"{"do":"exchange","former":["a"],"name":"e"}"#,
                #"{"do":"remove","name":"e"}"#, #"{"do":"remove","name":"e"}"#,
                #"{"do":"put-back","name":"e"}"#, #"{"do":"remove","name":"e","final":true}"#, #"{"do":"verify"}"#,
                #"{"do":"enroll","name":"right index"}"#, #"{"do":"enrolled"}"#, #"{"do":"match"}"#,
                #"{"do":"generate-key","name":"k","type":"p256","in-enclave":true,"policy":\#(RequestTests.passcode)}"#,
                #"{"do":"keys"}"#, #"{"do":"key","name":"k"}"#, #"{"do":"certificate","name":"k"}"#,
                #"{"do":"sign","name":"k","digest":"\#(String(repeating: "0", count: 64))","algorithm":"ecdsa-sha256"}"#,
                #"{"do":"remove-key","name":"k"}"#,
                #"{"do":"unenroll","name":"right index"}"#, #"{"do":"reset-sensor"}"#, #"{"do":"log-settings"}"#,
                #"{"do":"log-settings","log-size":2097152,"durable-log":true}"#,
                #"{"do":"back-up","path":"\#(backup)"}"#, #"{"do":"take-in","path":"\#(backup)"}"#,
                #"{"do":"transfer","path":"\#(backup).transfer"}"#, #"{"do":"retire","code":"0"}"#,
                #"{"do":"settings"}"#, #"{"do":"settings","reuse":60,"pam-service":""}"#,
                #"{"do":"settings","history":86400}"#,
                #"{"do":"add","name":"h","policy":\#(RequestTests.always)}"#, #"{"do":"change","name":"h"}"#,
                #"{"do":"edit-part","name":"h","field":"user"}"#, #"{"do":"history","name":"h"}"#,
                #"{"do":"read-part","name":"h","field":"user"}"#, #"{"do":"read-part","name":"h","field":"none"}"#,
                #"{"do":"edit-part","name":"h","restore":1}"#, #"{"do":"edit-part","name":"h","restore":9}"#,
                #"{"do":"edit-part","name":"h","restore":1,"forget":true}"#,
                #"{"do":"edit-part","name":"h","amend":true}"#, #"{"do":"code","name":"h"}"#,
                #"{"do":"remove","name":"h"}"#, #"{"do":"deleted"}"#, #"{"do":"put-back","name":"h"}"#,
                #"{"do":"encrypted-folders"}"#, #"{"do":"remove-encrypted-folder","identifier":"0f"}"#,
                #"{"do":"lock"}"#, #"{"do":"status"}"#, #"{"do":"stop"}"#,
            ]
            return heads.map { ($0, answers) }
        }

        /// Returns the frames of one request except prompts, one line each.
        private static func replies(_ client: RawClient, _ head: String, _ answers: [String: String]) throws -> [String]
        {
            var lines: [String] = []
            client.send(head)
            while true {
                let frame = try client.answer(answers)
                // A busy machine writes the record of a lock after the answer, which says so.
                let text = form(.object(frame.head.fields)).replacing("record-waits:true", with: "")
                lines.append(text + (frame.secret.isEmpty ? "" : " and a secret"))
                if frame.head["more"] == nil { return lines }
            }
        }

        @Test func everyReplyIsAsEver() throws {
            let vault = try VaultOfTest(fakeSensor: true)
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket, greeted: false)
            var lines = ["greeting \(Self.form(.object(try client.receive().head.fields)))"]
            for request in Self.requests(vault.folder.path("backup")) {
                let verb = request.head.split(separator: "\"")[3]
                for reply in try Self.replies(client, request.head, request.answers) {
                    lines.append("\(verb) \(reply)")
                }
            }
            try Golden.expect("replies", lines)
        }
    }
}
