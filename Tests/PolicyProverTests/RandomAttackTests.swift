import AccessPolicy
import DeviceModel
import Foundation
import PolicyProver
import TestSupport
import Testing

/// Tests that random raw attacks of up to twelve steps reach nothing that the prover calls impossible.
@Suite struct RandomAttackTests {
    static let isSoak = OracleTests.isSoak
    /// The number of attacks on the whole table, and on each claim.
    static let attacks = isSoak ? 10_000_000 : 300_000
    static let attacksOnClaim = isSoak ? 1_000_000 : 2_000

    /// An aim at an item that is out of reach.
    struct Fort: Hashable {
        let slot: SlotID
        let aim: Aim
    }

    /// Makes `count` attacks, and returns the first that succeeds.
    static func attack(
        _ scene: Scene, _ profile: Profile, assuming stated: Assumptions.Stated = .init(), _ forts: [Fort],
        _ count: Int, seed: UInt64
    ) throws -> String? {
        let attacker = try RawAttacker(profile, on: scene, assuming: Assumptions(stated))
        let beginning = attacker.beginning(on: scene)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<count {
            var state = beginning
            var moves: [RawMove] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let isRequest = Int.random(in: 0..<4, using: &random) == 0
                let offered = isRequest ? attacker.requests(in: state) : attacker.events(in: state).map(RawMove.event)
                guard let move = offered.randomElement(using: &random) else { continue }
                _ = attacker.make(move, in: &state)
                moves.append(move)
            }
            for fort in forts {
                let isDestroyed =
                    fort.aim == .destroy && attacker.canAsk(in: state) && !state.isElsewhere
                    && attacker.isUseless(fort.slot, in: state)
                if isDestroyed || attacker.reaches(fort.aim, fort.slot, in: state) {
                    return "\(profile.name) comes to \(fort.aim) of item \(fort.slot.rawValue): \(moves)"
                }
            }
        }
        return nil
    }

    /// The aims at each item that the attacker never reaches. Each item is searched alone.
    static func forts(_ scene: Scene, _ profile: Profile, assuming stated: Assumptions.Stated) throws -> [Fort] {
        try scene.items.flatMap { slot in
            var alone = try #require(scene.world[slot]).item
            alone.binding = nil
            let threats = try Threats(
                Scene(storing: [alone]), profiles: [profile], assuming: stated, tellsStories: false)
            return Aim.ofItems.filter { threats.cell(0, $0) == .never }.map { Fort(slot: slot, aim: $0) }
        }
    }

    @Test(arguments: Profile.all.map(\.name))
    func nobodyComesByChanceToWhatIsOutOfReach(_ name: String) throws {
        let profile = try #require(Profile.named(name))
        let scenes = try OracleTests.scenes(in: [.whenUnlockedThisDeviceOnly])
        let count = Self.attacks / scenes.count / Profile.all.count + 1
        var forts = 0
        for (number, scene) in scenes.enumerated() {
            let stated = Policies.worlds[number % Policies.worlds.count]
            let found = try Self.forts(scene, profile, assuming: stated)
            forts += found.count
            if let success = try Self.attack(
                scene, profile, assuming: stated, found, count, seed: UInt64(number))
            {
                Issue.record("\(success)")
            }
        }
        #expect(forts > 0 || profile.isOwner)
    }

    /// Attacks every claim that an attacker never reaches an aim, or that an item is gone after an enrollment change.
    @Test func noShippedClaimFallsByChance() throws {
        for (number, shipped) in ShippedClaim.all.enumerated() where shipped.answer == .holds && shipped.file == nil {
            guard case .never(let aim, let profile) = shipped.claim.statement else { continue }
            let scene = try shipped.scene
            let fort = Fort(slot: scene.items[0], aim: aim)
            let success = try Self.attack(
                scene, profile, assuming: shipped.claim.assumes, [fort], Self.attacksOnClaim, seed: UInt64(number))
            if let success { Issue.record("\(shipped.name): \(success)") }
        }
    }
}
