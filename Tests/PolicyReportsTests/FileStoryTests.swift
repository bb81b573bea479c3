import AccessPolicy
import DeviceModel
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// What the prover says about files, on the real engine: a vault whose keys seal the content of the files.
@Suite struct FileStoryTests {
    /// Every class, in backups or not, held open or not.
    static let files: [FileSlot] = FileProtection.allCases.flatMap { protection in
        [false, true].flatMap { isExcluded in
            [false, true].map { FileSlot(protection, isExcludedFromBackup: isExcluded, isOpen: $0) }
        }
    }

    /// Returns the fault of the scenario for `proof`; nil if it has no fault, or if there is no scenario.
    private static func fault(of proof: Proof) -> String? {
        guard let story = AttackFile(proof) else { return nil }
        let file = ScenarioFile(bytes: Array(story.text.utf8), of: "story.yaml")
        if !file.mistakes.isEmpty { return "\(file.mistakes.map(\.description))\n\(story.text)" }
        guard let scenario = file.scenarios.first else { return "a story is a scenario" }
        let result = scenario.run()
        return result.passed ? nil : "\(result.complaint.map { "\($0.heading): \($0.text)" })\n\(story.text)"
    }

    /// Every attack works: the shortest one on each file, for each profile, aim and kind of claim.
    @Test(arguments: files.indices) func everyStoryIsSoOnTheVault(_ place: Int) async throws {
        let file = Self.files[place]
        var stories = 0
        // A daily run plays the stories of short searches only.
        let limits = Soak.isExhaustive ? SearchLimits() : SearchLimits(situations: 500)
        let preset = place % 2 == 0 ? DevicePreset.usual : .faceID
        var propositions: [Proposition] = []
        for aim in Aim.ofFiles {
            for profile in Profile.known {
                propositions.append(try Proposition(.never(aim, against: profile), about: file, on: preset))
                propositions.append(
                    try Proposition(.alwaysCan(aim, by: .backgroundApp, against: profile), about: file, on: preset))
            }
            let claim = Claim.Statement.alwaysCan(aim, by: .backgroundApp, against: .snatcher)
            propositions.append(try Proposition(claim, about: file, on: preset, assuming: .init(deletes: false)))
            propositions.append(
                try Proposition(.alwaysCan(aim, by: .owner, against: .borrower), about: file, on: preset))
        }
        for proposition in propositions {
            let proof = await proposition.prove(limits: limits)
            if proof.verdict.story != nil { stories += 1 }
            let fault = Self.fault(of: proof)
            #expect(fault == nil, "\(proposition.claim) of \(file)")
        }
        #expect(stories > 30)
    }

    /// A person who gets the device, with the events that they can cause.
    struct Siege: Sendable, CustomTestStringConvertible {
        let profile: Profile
        let before: [String]
        let events: [String]

        var testDescription: String { profile.name }
    }

    private static let handling = ["lock", "{ wait: 11s }", "reboot", "holdButtons"]

    static let sieges = [
        Siege(profile: .snatcher, before: [], events: handling),
        Siege(profile: .watchThief, before: ["lock", "{ wait: 11s }"], events: handling),
        Siege(profile: .lostPoweredOff, before: ["reboot"], events: handling),
        Siege(
            profile: .passcodeThief, before: ["lock", "{ wait: 11s }"],
            events: handling + ["{ unlock: { passcode: \"1234\" } }"]),
    ]

    /// Tries every sequence of at most two events on the vault, or three. Whatever can be read then, the prover has found in as
    /// few steps, and whatever it calls impossible is never read.
    @Test(arguments: sieges) func everyShortSequenceOnTheVaultEndsAsTheProverSays(_ siege: Siege) throws {
        let files = Self.files.filter { !$0.isExcludedFromBackup }
        let threats = Threats(try Scene(storing: [], files: files), profiles: [siege.profile])
        var fewest = [Int?](repeating: nil, count: files.count)
        let count = Soak.isExhaustive ? 3 : 2
        for sequence in Self.sequences(of: siege.events, upTo: count) {
            let read = try Self.filesRead(files, after: siege.before + sequence)
            for place in read where sequence.count + 1 < fewest[place] ?? .max { fewest[place] = sequence.count + 1 }
        }
        for (place, file) in files.enumerated() {
            let cell = threats.cell(0, .readFile, of: place)
            #expect(cell == fewest[place].map { .steps($0) } ?? .never, "\(file)")
        }
    }

    private static func sequences(of events: [String], upTo count: Int) -> [[String]] {
        var all: [[String]] = [[]]
        var last: [[String]] = [[]]
        for _ in 0..<count {
            last = last.flatMap { sequence in events.map { sequence + [$0] } }
            all += last
        }
        return all
    }

    /// Plays the events, and returns the files that the app can read then.
    private static func filesRead(_ files: [FileSlot], after events: [String]) throws -> Set<Int> {
        var text = "name: x\nfiles:\n"
        for (place, file) in files.enumerated() {
            text += "  f\(place): { protection: \(file.protection), open: \(file.isOpen) }\n"
        }
        text += "steps:\n"
        for event in events {
            // Nothing depends on whether an event happens: a locked device cannot be locked again.
            let step = event.hasPrefix("{") ? event.dropFirst().dropLast() : "\(event): "
            text += "  - { \(step), expect: anything }\n"
        }
        // Writing to a file takes the same key as reading it, and uses it as it is if it is open.
        for place in files.indices { text += "  - { append: f\(place), expect: anything }\n" }
        let file = ScenarioFile(bytes: Array(text.utf8), of: "siege.yaml")
        #expect(file.mistakes.map(\.description) == [], "\(text)")
        let scenario = try #require(file.scenarios.first)
        var read: Set<Int> = []
        let result = scenario.run { _, step, outcome in
            if case .file(let request) = step.deed, outcome.fileDecision?.isGranted == true {
                read.insert(request.file)
            }
        }
        #expect(result.passed)
        return read
    }
}
