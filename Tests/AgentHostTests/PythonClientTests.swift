import AgentProtocol
import Foundation
import TestSupport
import Testing

extension AgentTests {
    /// A client that was written from docs/agent.md, in another language.
    @Suite(.serialized) struct PythonClientTests {
        /// Runs the client with these answers to prompts. Returns its status and its output.
        private func run(
            _ arguments: [String], in vault: VaultOfTest, input: [UInt8] = [], answers: [String]? = nil
        ) throws -> (status: Int32, output: [UInt8], errors: String) {
            let client = AgentPageTests.package.appending(path: "Tests/Support/AgentClient/latchkey_agent.py").path
            let files = (0..<4).map { vault.folder.path("python-\($0)") }
            try Data(input).write(to: URL(filePath: files[0]))
            try Data((answers ?? []).map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: files[3]))
            let words = [
                "sh", "-c",
                #"exec /usr/bin/python3 "$@" < \#(files[0]) > \#(files[1]) 2> \#(files[2]) 9< \#(files[3])"#, "sh",
                client, "--vault", vault.path,
            ]
            let process = try RunningAgent.spawn(
                words + (answers == nil ? [] : ["--answers", "9"]) + arguments,
                ["XDG_RUNTIME_DIR": vault.runtime, "HOME": vault.folder.url.path], [:])
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 && errno == EINTR {}
            return (
                (status >> 8) & 0xFF, Array(try Data(contentsOf: URL(filePath: files[1]))),
                try String(contentsOfFile: files[2], encoding: .utf8)
            )
        }

        @Test func itGetsAndAddsWhateverItIsGiven() throws {
            let vault = try VaultOfTest()
            let none = try run(["status"], in: vault)
            #expect(none.status == 13 && none.errors.contains("has no agent"))
            let agent = try RunningAgent(vault)
            let status = try run(["status"], in: vault)
            #expect(
                status.status == 0 && String(decoding: status.output, as: UTF8.self).contains("before-first-unlock"))
            #expect(try run(["get", "x"], in: vault).status == 4)
            #expect(try run(["unlock"], in: vault).status == 8)
            #expect(try run(["unlock"], in: vault, answers: []).status == 6)
            #expect(try run(["unlock"], in: vault, answers: [VaultOfTest.passcode]).status == 0)
            var large = [UInt8](repeating: 0, count: 16 * 1024 * 1024)
            for place in large.indices { large[place] = UInt8(truncatingIfNeeded: place &* 31 &+ (place >> 12)) }
            let secrets: [String: [UInt8]] = ["empty": [], "every byte": Array(0...255), "large": large]
            for (name, secret) in secrets {
                let added = try run(["add", name], in: vault, input: secret)
                #expect(added.status == 0, "\(added.errors)")
                let got = try run(["get", name], in: vault, answers: [VaultOfTest.passcode])
                #expect(got.status == 0 && got.output == secret, "\(name): \(got.errors)")
                #expect(try run(["get", name], in: vault).status == 8)
            }
            #expect(try run(["add", "large"], in: vault, input: [1], answers: [VaultOfTest.passcode]).status == 9)
            let tooLarge = [UInt8](repeating: 0, count: 16 * 1024 * 1024 + 1)
            #expect(try run(["add", "larger"], in: vault, input: tooLarge).status == 2)
            let list = try run(["list"], in: vault)
            #expect(String(decoding: list.output, as: UTF8.self) == "empty\nevery byte\nlarge\n")
            #expect(agent.isAlive)
            // In another environment, the lock file says where the agent listens.
            let elsewhere = try run(["status"], in: vault)
            #expect(elsewhere.status == 0)
        }
    }
}
