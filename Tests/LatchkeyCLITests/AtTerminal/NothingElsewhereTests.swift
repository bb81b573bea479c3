import Foundation
import TestSupport
import Testing

/// Secrets, passcodes, passphrases and recovery keys are found nowhere but at their prompts.
@Suite(.waitsForProcesses) struct NothingElsewhereTests {
    @Test func nothingSecretIsLeftAnywhere() throws {
        let (passcode, phrase) = ("pass-" + UUID().uuidString, "phrase-" + UUID().uuidString)
        let (secret, other) = ("secret-" + UUID().uuidString, "other-" + UUID().uuidString)
        let vault = try VaultAtTerminal("--fake-biometry", passcode: passcode)
        var said: [String] = []
        let typing = vault.typingPasscode
        let asking = try vault.start(["set", "typed"])
        try asking.answer([("Secret: ", secret + "\n"), ("again: ", "different\n"), ("Secret: ", secret + "\n")])
        try asking.wait(for: "again: ")
        let agent = try #require(try vault.agent)
        let canaries = [passcode, phrase, secret, other, vault.recoveryKey, vault.recoveryKey.filter { $0 != "-" }]
        for process in [Int(asking.process), agent] {
            for file in ["cmdline", "environ"] {
                guard let bytes = try? Data(contentsOf: URL(filePath: "/proc/\(process)/\(file)")) else {
                    // Only root can look into the environment of a program that holds secrets.
                    #expect(file == "environ" && getuid() != 0)
                    continue
                }
                for canary in canaries { #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(file)") }
            }
        }
        asking.type(secret + "\n")
        #expect(asking.end() == 0)
        said.append(asking.shown)
        for input in [secret, other] {
            let run = try vault.run("set", "piped", "--replace", "--preset", "open", input: Data(input.utf8))
            said += [run.output, run.errors]
        }
        // The user types a secret or a passcode at the wrong prompt.
        for dialogue in [typing, [("Passcode: ", secret + "\n"), ("Passcode: ", passcode + "\n")]] {
            said.append(try vault.at("mv", "typed", "typed", asked: dialogue).shown)
        }
        let noKey = Array(repeating: (question: "Recovery key: ", answer: passcode + "\n"), count: 3)
        said.append(try vault.at("recover", asked: noKey).shown)
        let next = [(question: "New passcode: ", answer: passcode + "\n"), ("again: ", passcode + "\n")]
        said.append(try vault.at("recover", asked: [("Recovery key: ", vault.recoveryKey + "\n")] + next).shown)
        let sealing = [(question: "New passphrase: ", answer: phrase + "\n"), ("again: ", phrase + "\n")]
        said.append(try vault.at("backup", vault.place.path("sealed"), asked: typing + sealing).shown)
        let sent = try vault.at("transfer", "--keep", vault.place.path("sent"), asked: typing + sealing)
        #expect(sent.status == 0 && FileManager.default.fileExists(atPath: vault.place.path("sent")), "\(sent)")
        said.append(sent.shown)
        for arguments in [["log", "--json"], ["log"], ["verify"], ["status"], ["list"], ["show", "typed"]] {
            let run = try vault.run(arguments)
            said += [run.output, run.errors]
        }
        for (place, text) in said.enumerated() {
            for canary in canaries { #expect(!text.contains(canary), "what was said \(place)") }
        }
        #expect(try vault.run("agent", "stop").status == 0)
        // The test itself wrote this file, as input of the commands.
        try FileManager.default.removeItem(atPath: vault.place.path("input"))
        let files = try #require(FileManager.default.enumerator(at: vault.place.url, includingPropertiesForKeys: nil))
        var looked = 0
        for case let file as URL in files where !file.hasDirectoryPath {
            guard let bytes = try? Data(contentsOf: file) else { continue }
            looked += 1
            for canary in canaries + ["typed", "piped"] {
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(canary.prefix(6)) in \(file.lastPathComponent)")
            }
        }
        #expect(looked >= 3)
    }
}
