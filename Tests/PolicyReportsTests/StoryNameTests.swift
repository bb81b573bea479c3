import AccessPolicy
import DeviceModel
import Foundation
import PlainText
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import SecretVault
import TestSupport
import Testing

/// Tests that an attack which is written as a scenario is read back as it was declared, whatever the names in it are.
@Suite struct StoryNameTests {
    /// Names that mean something else in YAML, or in the cells of tables, or nothing that can be printed.
    static let names = [
        "token", "$", "a$b", "${c} $$d", "null", "yes", "12", "0x1F", "- a", "# b", "a: b", "a #b", "{x}", "[x]", "&a",
        "*a", "!a", "%a", "@a", "|", ">", "'", "\"", "\\", " a ", "a\tb", "a\nb", "\u{7F}", "\u{85}", "\u{2028}",
        "\u{FEFF}", "\u{202E}rtl", "\u{1B}[31m", "\u{E0001}", "\u{1D173}", "\u{10F7FF}",
        "日本 \u{1F469}\u{200D}\u{1F52C}",
        "e\u{301}", "steps", "owner", "<b>", "the attacker's",
    ]

    private static func proofs(_ text: String) async throws -> [Proof] {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        try #require(file.mistakes.map(\.description) == [])
        let (propositions, mistakes) = Proposition.all(of: file.scenarios)
        try #require(mistakes.map(\.description) == [])
        var proofs: [Proof] = []
        for proposition in propositions { proofs.append(await proposition.prove()) }
        return proofs
    }

    /// Returns the only scenario of a saved attack, which has to play.
    private static func scenario(_ text: String) throws -> Scenario {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "attack.yaml")
        try #require(file.mistakes.map(\.description) == [], "\(text)")
        let scenario = try #require(file.scenarios.first)
        let result = scenario.run()
        #expect(result.passed, "\(result.complaint.map { "\($0.heading): \($0.text)" })\n\(text)")
        return scenario
    }

    /// Two texts can be equal for Swift and have other characters.
    private static func scalars(_ texts: [String]) -> [[Unicode.Scalar]] { texts.map { Array($0.unicodeScalars) } }

    @Test(arguments: names) func anAttackKeepsEveryName(name: String) async throws {
        let key = Quoting.quotedYAML(name)
        let value = Quoting.quotedYAML(name.replacing("$", with: "$$"))
        let proofs = try await Self.proofs(
            """
            name: \(value)
            device: { passcode: \(value), enrolled: [\(value)] }
            apps: { \(key): { groups: [\(value)] } }
            items: { \(key): { require: userPresence } }
            files: { \(key): none }
            claims:
              - { never: read, item: \(value), against: passcode-thief }
              - { never: read-file, file: \(value), against: passcode-thief }
              - { always-can: append-file, file: \(value), by: background-app, against: passcode-thief }

            """)
        let texts = proofs.compactMap { AttackFile($0)?.text }
        #expect(texts.count == 3)
        for text in texts {
            let scenario = try Self.scenario(text)
            let own = [Array(name.unicodeScalars)]
            #expect(Self.scalars(scenario.items.map(\.name) + scenario.files.map(\.name)) == own, "\(text)")
            #expect(Self.scalars(scenario.apps.map(\.name)) == own && Self.scalars(scenario.apps[0].groups) == own)
            #expect(Self.scalars([scenario.device.passcode].compactMap(\.self)) == own)
            #expect(Self.scalars(scenario.device.enrolled) == own)
        }
        #expect(texts.last?.contains("missing }") == true, "the thief deletes the file")
        // All of them in one file are read as well.
        let file = ScenarioFile(bytes: Array((AttackFile.text(of: proofs) ?? "").utf8), of: "attacks.yaml")
        #expect(file.mistakes.map(\.description) == [] && file.scenarios.count == 3)
    }

    /// What the fixtures declare is in their attacks: the device, the item with its policy, and the file with its class.
    @Test func anAttackKeepsEveryDeclaration() async throws {
        var attacks = 0
        for fixture in try ScenarioFixtures.all() where fixture.name.hasPrefix("claims/") {
            for proof in try await Self.proofs(fixture.text) {
                guard let text = AttackFile(proof)?.text else { continue }
                attacks += 1
                let scenario = try Self.scenario(text)
                let setting = proof.proposition.setting
                #expect(scenario.device.settings == setting.device.settings, "\(fixture.name)")
                #expect(scenario.device.passcode == setting.device.passcode)
                #expect(scenario.device.enrolled == setting.device.enrolled)
                #expect(scenario.device.companion == setting.device.companion)
                #expect(Array(scenario.apps.prefix(setting.apps.count)) == setting.apps)
                switch setting.subject {
                case .item(let item):
                    let read = try #require(scenario.items.first)
                    #expect(read.name == item.name && read.control == item.control, "\(fixture.name)")
                    #expect(read.itemClass == item.itemClass && read.isSynchronizable == item.isSynchronizable)
                    #expect(read.group == item.group && read.applicationPassword == item.applicationPassword)
                case .file(let file):
                    let read = try #require(scenario.files.first)
                    #expect(read.name == file.name && read.slot == file.slot, "\(fixture.name)")
                }
            }
        }
        #expect(attacks >= 3)
    }
}
