import AccessPolicy
import DeviceModel
import PolicyProver
import PolicyReports
import PolicyScenarios
import ScenarioFormat
import TestSupport
import Testing

/// A file describes one world, and every proof, table and report about it searches that one.
@Suite struct FileWorldTests {
    private static func file(_ text: String) throws -> ScenarioFile {
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        try #require(file.mistakes.map(\.description) == [])
        return file
    }

    private static func proofs(_ text: String) async throws -> [Proof] {
        let (propositions, mistakes) = Proposition.all(of: try file(text).scenarios)
        try #require(mistakes.map(\.description) == [])
        var proofs: [Proof] = []
        for proposition in propositions { proofs.append(await proposition.prove()) }
        return proofs
    }

    /// Returns the fault of the scenario that is saved for `proof`, or nil if it plays.
    private static func fault(of proof: Proof) throws -> String? {
        let text = try #require(AttackFile(proof)?.text)
        let result = try #require(try file(text).scenarios.first).run()
        return result.passed ? nil : "\(result.complaint.map { "\($0.heading): \($0.text)" })\n\(text)"
    }

    /// Files that describe what a preset leaves out.
    static let worlds = [
        """
        device: { preset: iPhoneWithFaceID, companion: notPaired, lockGrace: 0s }
        apps: { main: { declaresFaceIDUsage: false } }
        items: { token: { require: userPresence }, open: { accessible: whenUnlocked } }
        files: { journal: complete }
        """,
        """
        device: iPhoneWithFaceID
        apps:
          main: { groups: [main, shared], declaresFaceIDUsage: false }
          widget: { groups: [widget, shared], faceIDPermission: denied }
          guest: { groups: [guest] }
        items:
          token: { app: main, group: shared, require: userPresence }
          signer: { app: widget, group: shared, class: key, require: userPresence privateKeyUsage }
        """,
        """
        device: { preset: iPhoneWithFaceID, enrolled: [] }
        items: { token: { require: userPresence } }
        """,
        """
        device: { preset: mac, companion: away, enrolled: [left thumb, right thumb] }
        items: { token: { require: userPresence } }
        """,
        """
        device: { biometry: none, passcode: none }
        items: { token: { accessible: afterFirstUnlock } }
        """,
    ]

    /// The pages of `threats` and `report` search the scene that `prove` searches, for every item and file of every
    /// fixture.
    @Test func everyPageOfAFileSearchesTheSceneOfItsProofs() throws {
        var compared = 0
        let texts = try ScenarioFixtures.all().map(\.text) + Self.worlds.map { "name: x\n\($0)\nsteps: [lock]\n" }
        for text in texts {
            let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
            guard file.mistakes.isEmpty else { continue }
            for scenario in file.scenarios {
                var searched: Set<Scene> = []
                for named in NamedPolicy.grouped(in: file) {
                    if let scene = try? Scene(named.policy, on: named.device) { searched.insert(scene) }
                }
                for (_, slot, device) in ThreatsPage.files(of: file) {
                    searched.insert(try Scene(slot, on: device))
                }
                var claiming = scenario
                let none = Position(file: "", line: 1, column: 1)
                claiming.claims = []
                for place in scenario.items.indices where scenario.items[place].isStored {
                    let item = scenario.items[place]
                    let aim: Aim = item.itemClass.isEnclaveKey(under: item.control) ? .use : .read
                    claiming.claims.append(
                        ClaimSetup(
                            position: none, statement: .never(aim, against: .snatcher), item: place, reuse: .zero,
                            assumes: .init(), expectsHold: true))
                }
                for place in scenario.files.indices where scenario.files[place].isStored {
                    claiming.claims.append(
                        ClaimSetup(
                            position: none, statement: .never(.readFile, against: .snatcher), item: place, reuse: .zero,
                            assumes: .init(), expectsHold: true))
                }
                for proposition in Proposition.all(of: [claiming]).propositions {
                    compared += 1
                    #expect(
                        searched.contains(proposition.scene), "\(proposition.itemName) of \(scenario.name)")
                }
            }
        }
        #expect(compared > 200)
    }

    /// On files whose world is unusual, the cells of the table and the answers of the proofs agree.
    @Test(arguments: worlds) func theTableAgreesWithTheProofs(world: String) async throws {
        // Short searches: what is compared is the world, and it is the same for every person.
        var robber = Profile.coercedFinger
        robber.can = [.permit]
        let profiles: [Profile] = [robber, .backupThief, .maliciousApp]
        let file = try Self.file("name: x\n\(world)\nsteps: [lock]\n")
        let scenario = try #require(file.scenarios.first)
        for named in NamedPolicy.grouped(in: file) {
            let aim: Aim = named.policy.isKey ? .use : .read
            let page = try ThreatsPage(name: named.name, named.policy, on: named.device, profiles: profiles)
            let place = try #require(scenario.items.firstIndex { named.name.hasPrefix($0.name) })
            for profile in profiles {
                var claiming = scenario
                claiming.claims = [
                    ClaimSetup(
                        position: scenario.position, statement: .never(aim, against: profile), item: place,
                        reuse: .zero, assumes: .init(), expectsHold: true)
                ]
                let proposition = try #require(Proposition.all(of: [claiming]).propositions.first)
                let verdict = await proposition.prove().verdict
                let steps = verdict.story.map { "\($0.steps.count)" } ?? "never"
                #expect(page.steps(profile, aim) == steps, "\(profile.name) and \(named.name)")
            }
        }
    }

    private static let shared = """
        name: x
        device: iPhoneWithFaceID
        apps:
          main: { groups: [main, shared], declaresFaceIDUsage: false }
          widget: { groups: [widget, shared] }
        items:
          token: { app: main, group: shared, require: userPresence }
          signer: { app: main, group: shared, class: key, require: userPresence privateKeyUsage }

        """

    @Test(arguments: [
        "never: read, item: token, against: coerced-finger", "never: use, item: signer, against: coerced-finger",
        "never: read, item: token, against: snatcher, contexts: kept",
        "never: use, item: signer, against: borrower, contexts: kept, deletes: false",
        "at-most-prompts: 0, workflow: [read], item: token, reuse: 5m", "never: read, item: token, against: owner",
    ]) func anItemIsSearchedThroughEveryAppOfItsGroup(claim: String) async throws {
        let proof = try await Self.proofs(Self.shared + "claims: [{ \(claim) }]\n")[0]
        #expect(proof.verdict.answer == .fails)
        #expect(try Self.fault(of: proof) == nil)
        var report = JSONProofReport()
        _ = report.add(proof)
        #expect(report.end().contains(#""apps": ["main", "widget"]"#))
        var text = HumanProofReport(colored: false)
        #expect(text.add(proof).contains("asking through main and widget\n"))
    }

    @Test func anAttackNamesTheAppThatItGoesThrough() async throws {
        let proof = try await Self.proofs(
            Self.shared + "claims: [{ never: read, item: token, against: coerced-finger }]\n")[0]
        #expect(proof.story.last?.words == "coerced-finger has widget read the secret, authenticates with biometry")
        let text = try #require(AttackFile(proof)?.text)
        #expect(text.contains("    app: widget\n") && text.contains("declaresFaceIDUsage: false"))
    }

    /// An attacker who may not permit biometry reads through the app that has the permission, and through no other.
    @Test(arguments: [("given", false), ("denied", true)]) func thePermissionOfEachAppCounts(
        permission: String, holds: Bool
    ) async throws {
        let proof = try await Self.proofs(
            """
            name: x
            device: iPhoneWithFaceID
            apps:
              main: { groups: [main, shared], faceIDPermission: denied }
              widget: { groups: [widget, shared], faceIDPermission: \(permission) }
            items: { token: { app: main, group: shared, require: userPresence } }
            attackers: { nurse: { like: coerced-finger, can: [wait] } }
            claims: [{ never: read, against: nurse }]
            """)[0]
        #expect((proof.verdict.answer == .holds) == holds)
    }

    /// All four kinds of app that a sensor tells apart, beside the app of another group.
    @Test func aGroupOfFourAppsIsSearched() async throws {
        let proofs = try await Self.proofs(
            """
            name: x
            device: iPhoneWithFaceID
            apps:
              a: { groups: [a, shared], declaresFaceIDUsage: false }
              b: { groups: [b, shared], faceIDPermission: denied }
              c: { groups: [c, shared], faceIDPermission: notAsked }
              d: { groups: [d, shared] }
            items: { token: { app: a, group: shared, require: userPresence } }
            attackers: { nurse: { like: coerced-finger, can: [] }, app: { like: malicious-app, can: [] } }
            claims:
              - { never: read, against: nurse }
              - { never: read, against: app }
              - { always-can: read, by: owner, against: nurse, deletes: false }
            """)
        #expect(proofs.map(\.verdict.answer) == [.fails, .holds, .holds])
    }

    /// A table of a file with several apps has a page for each app that behaves differently, and names it.
    @Test func theTablesNameTheApps() throws {
        let file = try Self.file(Self.shared + "steps: [lock]\n")
        #expect(
            MatrixPage.pages(of: file).map(\.name) == [
                "token, through main", "token, through widget", "signer, through main", "signer, through widget",
            ])
        let named = NamedPolicy.grouped(in: file)[0]
        let page = try ThreatsPage(name: named.name, named.policy, on: named.device, profiles: [.maliciousApp])
        #expect(page.text(colored: false).contains(", asking through main and widget.\n"))
        #expect(page.json.contains(#""apps": ["main", "widget"]"#))
    }

    private static func backup(_ knows: String) -> String {
        """
        name: x
        items: { cookie: { accessible: whenUnlocked } }
        files: { journal: complete }
        attackers:
          finder: { about: has the backup, like: backup-thief, knows: \(knows) }
          other: { holds: backup, knows: \(knows), can: [restore, backUp, wait] }
        claims:
          - { never: read, against: finder }
          - { never: read-file, against: finder }
          - { never: read, against: other }
          - { never: read-file, against: other }
        """
    }

    @Test(arguments: ["[]", "[appleAccount]", "[passcode, applicationPassword]"])
    func
        anEncryptedBackupStaysShutWithoutItsPassword(knows: String) async throws
    {
        let proofs = try await Self.proofs(Self.backup(knows))
        #expect(proofs.map(\.verdict.answer) == [.holds, .holds, .holds, .holds])
    }

    @Test func anEncryptedBackupOpensWithItsPassword() async throws {
        let proofs = try await Self.proofs(Self.backup("[backupPassword]"))
        #expect(proofs.map(\.verdict.answer) == [.fails, .fails, .fails, .fails])
        for proof in proofs { #expect(try Self.fault(of: proof) == nil) }
    }

    /// A saved attack gives its people what their profile has, and nothing else.
    @Test func aSavedAttackKnowsNoMoreThanItsProfile() async throws {
        let proofs = try await Self.proofs(
            """
            name: x
            files: { journal: complete }
            items: { cookie: { accessible: whenUnlockedThisDeviceOnly } }
            claims:
              - { never: read, against: passcode-thief }
              - { never: read-file, against: passcode-thief }
            """)
        for proof in proofs {
            #expect(try #require(AttackFile(proof)?.text).contains("knowsBackupPassword") == false)
            #expect(try Self.fault(of: proof) == nil)
        }
    }

    /// A claim about the number of prompts says that it is about an owner whose first answers are right.
    @Test func aClaimAboutPromptsNamesTheAnswersThatItAssumes() async throws {
        let proofs = try await Self.proofs(
            """
            name: x
            items: { token: { require: userPresence } }
            claims:
              - { at-most-prompts: 1, workflow: [read] }
              - { at-most-prompts: 0, workflow: [read] }
              - { never: read, against: passcode-thief }
            """)
        for (proof, names) in zip(proofs, [true, true, false]) {
            var text = HumanProofReport(colored: false)
            #expect(text.add(proof).contains(", answers: right\n") == names)
            for var report in [JSONProofReport(), SARIFProofReport(version: "1")] as [any ProofReport] {
                let text = report.add(proof) + report.end()
                #expect(text.contains(#""answers": "right""#) == names)
            }
        }
    }

    /// Only a Mac whose owner has paired a watch could be unlocked by it.
    @Test(arguments: [
        ("{ preset: mac, companion: ready }", true), ("{ preset: mac, companion: notPaired }", false),
        ("{ preset: iPhoneWithTouchID, companion: ready }", false),
    ]) func aMacsVerdictNamesAutoUnlock(device: String, names: Bool) async throws {
        let proof = try await Self.proofs(
            "name: x\ndevice: \(device)\nitems: { token: { require: userPresence } }\n"
                + "claims: [{ never: read, against: watch-thief, deletes: false }]\n")[0]
        var text = HumanProofReport(colored: false)
        #expect(text.add(proof).contains(", autoUnlock: off\n") == names)
        var json = JSONProofReport()
        _ = json.add(proof)
        #expect(json.end().contains(#""autoUnlock": "off""#) == names)
    }

    /// Only an iPhone can turn Stolen Device Protection on, whatever else a file says of a device.
    @Test(arguments: [
        ("device: iPhoneWithTouchID", true), ("device: { preset: mac, companion: ready }", false),
        ("device: mac\nfidelity: { presence: biometryOrPasscode }", false),
        ("device: { preset: simulator, passcode: \"1\", enrolled: [face] }", false),
    ]) func onlyTheTableOfAnIPhoneHasStolenDeviceProtection(device: String, has: Bool) throws {
        let file = try Self.file("name: x\n\(device)\nitems: { token: { require: biometryAny } }\nsteps: [lock]\n")
        let named = NamedPolicy.grouped(in: file)[0]
        let page = try ThreatsPage(name: named.name, named.policy, on: named.device, profiles: [.backgroundApp])
        #expect(page.text(colored: false).contains("stolenDeviceProtection") == has)
    }
}

extension ThreatsPage {
    /// The number of steps in a cell, or "never".
    fileprivate func steps(_ profile: Profile, _ aim: Aim) -> String {
        guard let row = threats.profiles.firstIndex(of: profile) else { return "no such row" }
        return if case .steps(let count) = threats.cell(row, aim) { "\(count)" } else { "never" }
    }
}
