import AccessPolicy
import DeviceModel
import Latchkey
import PolicyProver
import TestSupport
import Testing

/// The prover's attacks are real: carried out on a keychain, each ends with the secret itself.
@Suite struct StoryOnVaultTests {
    /// Tests every policy in four classes, with every profile and every aim that an attacker reaches; by day one policy
    /// in six.
    @Test(arguments: Policies.protections, 0..<2) func aStoryEndsAsItSays(_ protection: Accessibility, _ half: Int)
        throws
    {
        // Everyday runs take another assumption for each policy, and exhaustive runs take every one.
        let rounds = Soak.isExhaustive ? Policies.worlds.count : 1
        for round in 0..<rounds { try aStoryEndsAsItSays(protection, half, round) }
    }

    private func aStoryEndsAsItSays(_ protection: Accessibility, _ half: Int, _ round: Int) throws {
        var played = 0
        let clock = ContinuousClock()
        var proving = Duration.zero
        let all = try Policies.scenes(in: protection)
        for scene in all.indices where scene % 2 == half {
            guard DaySample.takes(scene / 2, oneIn: 6) else { continue }
            let begin = clock.now
            let stated = Policies.worlds[(scene / 2 + round) % Policies.worlds.count]
            let threats = Threats(all[scene], assuming: stated)
            proving += clock.now - begin
            for profile in threats.profiles.indices {
                for place in threats.scene.items.indices {
                    for aim in Aim.ofItems {
                        guard threats.cell(profile, aim, of: place) != .meaningless,
                            let story = threats.story(profile, aim, of: place)
                        else { continue }
                        played += 1
                        if let trouble = try Self.play(story, to: aim) {
                            let control = threats.scene.world[threats.scene.items[place]]?.item.control
                            Issue.record(
                                "\(story.people[0].name), \(aim), \(control as Any): \(trouble)\n\(Self.words(story))")
                        }
                    }
                }
            }
        }
        print(
            "stories on the vault, \(protection), part \(half), round \(round): \(played) played; proving took \(proving)"
        )
        #expect(played > (Soak.isExhaustive ? 400 : 80))
    }

    /// The stories about files are played as scenarios.
    @Test(arguments: ShippedClaim.all.filter { $0.file == nil }) func aShippedClaimEndsAsItSays(_ shipped: ShippedClaim)
        async throws
    {
        let verdict = await Prover(try shipped.scene).prove(shipped.claim)
        #expect(verdict.answer == shipped.answer)
        guard let story = verdict.story else { return }
        #expect(try Self.play(story, to: shipped.claim.aim) == nil, "\(Self.words(story))")
    }

    static func words(_ story: Attack) -> String {
        "\(story.before) " + story.steps.map { "\(story.name(of: $0)): \($0.move.deed)" }.joined(separator: "; ")
    }

    /// Plays `story` on a keychain with only the item that it is about, and returns the first deviation; nil if there
    /// is none.
    static func play(_ story: Attack, to aim: Aim?) throws -> String? {
        var siege = try Siege(
            story.scene, items: [story.item], for: story.people[0], assuming: story.assumptions,
            authenticating: story.authentication.map { [(story.item, $0.factors)] } ?? [])
        var kept =
            story.assumptions.contexts == .kept ? try siege.kept.first?.context ?? siege.keychain.makeContext() : nil
        var people = story.people.map { Siege.Somebody($0, at: story.scene) }
        var last: Siege.Gain?
        for (number, step) in story.steps.enumerated() {
            let actor = step.move.actor
            switch step.move.deed {
            case .event(let event):
                guard try siege.act(event, by: &people[actor]) else { return "step \(number) does not happen" }
                last = nil
            case .request(let action, let slot, _):
                guard let place = story.scene.items.firstIndex(of: slot) else { return "no such item" }
                let isKept = !people[actor].profile.asksFromOtherGroup
                // A context ends with its keychain, so on another device the app keeps another one.
                if let former = kept, !former.belongs(to: siege.keychain) { kept = try siege.keychain.makeContext() }
                let context = try (isKept ? kept : nil) ?? siege.keychain.makeContext()
                try context.setReuse(story.scene.reuse)
                last = try siege.ask(
                    action, of: place, by: people[actor], answering: try siege.person(people[actor]), in: context,
                    bringsPassword: step.bringsPassword)
                let isGranted = if case .decided(let granted, _) = step.reason { granted } else { true }
                if (last != nil) != isGranted { return "step \(number) comes to \(last as Any)" }
                if isGranted && siege.user.record.factors != Array(step.prompts) {
                    return "step \(number) asks for \(siege.user.record.factors), not \(step.prompts)"
                }
            case .account, .deletionOnOwn, .arrivalOfNext:
                return "step \(number) is in an account, which this keychain lacks"
            case .file: return "step \(number) is about a file, which this keychain lacks"
            }
        }
        guard let aim else { return nil }
        return try siege.difference(from: aim, at: story.item, last)
    }
}

extension Siege {
    /// Returns why the attack has not reached `aim`, judged by the bytes; nil if it has.
    fileprivate mutating func difference(from aim: Aim, at place: Int, _ last: Gain?) throws -> String? {
        let secret = items[place].secret
        switch aim {
        case .read: return last == .secret(secret) ? nil : "they read \(last as Any)"
        case .use: return last == .key(secret) ? nil : "they use \(last as Any)"
        case .readNext: return "the aim is about another device"
        case .readFile, .createFile, .appendFile: return "the aim is about a file"
        case .list: return last == .attributes ? nil : "they see \(last as Any)"
        case .overwrite:
            let password = last == .stored ? 2 : 1
            let kept = try ownerGets(place, password: password)
            return kept == items[place].overwritten ? nil : "it keeps \(kept as Any)"
        case .destroy:
            let kept = try ownerGets(place)
            return kept == nil ? nil : "the owner has \(kept as Any)"
        }
    }
}

extension Claim {
    /// The bytes that an attacker wants to find in it.
    fileprivate var aim: Aim? {
        switch statement {
        case .never(let aim, _), .eventuallyCan(let aim, _): aim
        case .alwaysCan, .goneAfterEnrollmentChange, .endsWithRemoval, .atMostPrompts: nil
        }
    }
}
