import AccessPolicy
import ApplePlatform
import DeviceModel
import Foundation
import TestSupport
import Testing

/// The examples in the README and on the page for Swift run, word for word, and do what their comments say.
@Suite struct ReadmeTests {
    @Test func theFirstExampleRuns() throws {
        let code = Passcode(rawValue: 1)!, index = Finger(rawValue: 0)!, thumb = Finger(rawValue: 1)!
        var world = World(Device(passcode: code, enrolled: [index]))
        let owner = Person.owner(of: world.device)

        let token = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        let slot = try world.store(Item(token))
        let read = Call(.readData, slot, by: owner)

        #expect("\(world.perform(read).decision)" == "granted by biometry")
        #expect(world.act(.enrolled(thumb), by: owner).refusal == nil)
        #expect("\(world.perform(read).decision)".hasPrefix("denied by biometry.current-set.changed"))
        #expect("\(world.perform(read).decision)".hasPrefix("denied by item.not-found"))
    }

    @Test func theSecondExampleRuns() throws {
        let world = World(Cast.device())
        let token = try AccessControl(protection: .whenUnlocked, flags: .biometryCurrentSet)
        func print(_ words: Any...) { said = words.map { "\($0)" }.joined(separator: " ") }
        var said = ""

        let conditions = world.device.conditions()
        let item = Item(token, binding: conditions.binding)
        switch decide(Request(.readData, item), under: conditions) {
        case .granted(let grant): print("open it by", grant.way)
        case .challenge(let ways): print("ask for", ways)
        case .denied(let denial): print(denial, AppleStatus(denial.rule, conditions.fidelity)!)
        }
        #expect(said == "ask for biometry")
    }

    /// Each line of Swift on these pages stands in a test that runs it.
    @Test(arguments: ["README.md", "docs/swift.md"]) func theExamplesAreThoseOnThePage(_ page: String) throws {
        func lines(_ file: String) throws -> [String] {
            try String(contentsOf: Repository.root.appending(path: file), encoding: .utf8).split(separator: "\n")
                .map { ($0.components(separatedBy: "//").first ?? "").trimmingCharacters(in: .whitespaces) }
        }
        let test = try [
            "DeviceModelTests/ReadmeTests.swift", "SecretVaultTests/ReadmeTests.swift",
            "LatchkeyTests/ReadmeTests.swift",
            "LatchkeyTests/Examples/KeychainExamples.swift", "LatchkeyTestingTests/ReadmeTests.swift",
        ].flatMap { try lines("Tests/" + $0) }
        var isCode = false
        var checked = 0
        for line in try lines(page) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode && !line.isEmpty && !line.hasPrefix("import ") {
                checked += 1
                #expect(test.contains { $0.contains(line) }, "\(line)")
            }
        }
        // The page has the whole tour. The README has as much of it as it likes.
        if page == "docs/swift.md" { #expect(checked == 60) }
    }
}
