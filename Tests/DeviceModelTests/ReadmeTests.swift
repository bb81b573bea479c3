import AccessPolicy
import DeviceModel
import Foundation
import TestSupport
import Testing

/// The example in the README, word for word, runs and does what its comments say.
@Suite struct ReadmeTests {
    @Test func theExampleRuns() throws {
        let code = Passcode(rawValue: 1)!, index = Finger(rawValue: 0)!, thumb = Finger(rawValue: 1)!
        var world = World(Device(passcode: code, enrolled: [index]))
        let owner = Person.owner(of: world.device)

        let token = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        let slot = world.store(Item(token))!

        #expect(world.perform(Call(.readData, slot, by: owner)).decision.isGranted)
        world.act(.enrolled(thumb), by: owner)
        let denial = world.perform(Call(.readData, slot, by: owner)).decision.denial
        #expect(denial?.rule.identifier == "biometry.current-set.changed")
        #expect(denial.flatMap { AppleStatus($0.rule) }?.status.name == "errSecItemNotFound")
    }

    @Test func theExampleIsTheOneInTheReadme() throws {
        func words(_ file: String) throws -> [String] {
            try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8).split(separator: "\n")
                .map { $0.prefix { $0 != "/" }.trimmingCharacters(in: .whitespaces) }
        }
        let test = try words("Tests/DeviceModelTests/ReadmeTests.swift")
        let readme = try words("README.md")
        let start = try #require(readme.firstIndex { $0.hasPrefix("let code = ") })
        let end = try #require(readme[start...].firstIndex { $0.hasPrefix("```") })
        for line in readme[start..<end] where !line.isEmpty {
            #expect(test.contains { $0.contains(line) }, "\(line)")
        }
    }
}
