import AccessPolicy
import DeviceModel
import Foundation
import PolicyProver
import TestSupport
import Testing

/// Compares the prover with an attacker who tries everything on raw worlds, move by move, and treats only equal worlds
/// as equal.
@Suite struct OracleTests {
    static let isSoak = Soak.isExhaustive

    /// Returns the fewest steps to each aim at each item, as far as they are at most `depth`.
    static func lengths(
        _ profile: Profile, on scene: Scene, assuming stated: Assumptions.Stated, to depth: Int
    ) throws -> [[Aim: Int]] {
        let attacker = try RawAttacker(profile, on: scene, assuming: Assumptions(stated))
        var lengths = [[Aim: Int]](repeating: [:], count: scene.items.count)
        var missing: [(item: Int, aim: Aim)] = scene.items.indices.flatMap { item in
            Aim.ofItems.filter { $0.isOpen(toKey: scene.world[scene.items[item]]?.item.isKey == true) }
                .map { (item, $0) }
        }
        var level = [attacker.beginning(on: scene)]
        var seen = Set(level)
        for steps in 0...depth {
            for state in level {
                missing.removeAll { item, aim in
                    let isDone =
                        aim == .destroy && attacker.canAsk(in: state) && !state.isElsewhere
                        && attacker.isUseless(scene.items[item], in: state)
                    if isDone { lengths[item][aim] = steps }
                    return isDone
                }
            }
            if steps == depth || missing.isEmpty { break }
            var reached: [(item: Int, aim: Aim)] = []
            for state in level {
                missing.removeAll { item, aim in
                    guard attacker.reaches(aim, scene.items[item], in: state) else { return false }
                    reached.append((item, aim))
                    return true
                }
            }
            for (item, aim) in reached { lengths[item][aim] = steps + 1 }
            // At the last level, a fact without a request is the only one that can still be found: that an item is
            // gone.
            let isLast = steps + 1 == depth
            if isLast && !missing.contains(where: { $0.aim == .destroy }) { break }
            var next: [RawState] = []
            for state in level {
                let requests = isLast ? [] : attacker.requests(in: state)
                for move in attacker.events(in: state).map(RawMove.event) + requests {
                    var after = state
                    _ = attacker.make(move, in: &after)
                    if isLast ? after != state : seen.insert(after).inserted { next.append(after) }
                }
            }
            level = next
        }
        return lengths
    }

    static func compare(
        _ scene: Scene, _ profile: Profile, assuming stated: Assumptions.Stated = .init(), to depth: Int
    ) throws -> [String] {
        let raw = try lengths(profile, on: scene, assuming: stated, to: depth)
        var differences: [String] = []
        for item in scene.items.indices {
            let slot = try #require(scene.world[scene.items[item]])
            var alone = slot.item
            alone.binding = nil
            let threats = try Threats(
                Scene(storing: [alone]), profiles: [profile], assuming: stated, tellsStories: false)
            for aim in Aim.ofItems {
                let cell = threats.cell(0, aim)
                var steps: Int?
                if case .steps(let count) = cell, count <= depth { steps = count }
                if steps != raw[item][aim] {
                    differences.append(
                        "\(profile.name) \(aim) \(alone.control), \(Assumptions(stated)): the prover \(cell), raw \(raw[item][aim] ?? -1)"
                    )
                }
            }
        }
        return differences
    }

    /// Eight items on one device: an attack on one of them changes nothing for another.
    static func scenes(in classes: [Accessibility]) throws -> [Scene] {
        let items = try Policies.items(in: classes)
        return try stride(from: 0, to: items.count, by: 8).map {
            try Scene(storing: Array(items[$0..<min($0 + 8, items.count)]))
        }
    }

    /// A daily run takes one class, and half of its scenes for each profile, which the day chooses.
    @Test(arguments: Profile.all.indices)
    func everyRawAttackOfFourStepsIsKnown(_ place: Int) throws {
        let profile = Profile.all[place]
        let classes: [Accessibility] = Self.isSoak ? Accessibility.allCases : [.whenUnlockedThisDeviceOnly]
        for (number, scene) in try Self.scenes(in: classes).enumerated()
        where DaySample.takes(number + place, oneIn: 2) {
            for difference in try Self.compare(scene, profile, to: 4) { Issue.record("\(difference)") }
        }
    }

    /// Runs the comparison under other assumptions, and against an attacker who knows the application password. The day chooses a
    /// quarter of the scenes, another one for each attacker.
    @Test(arguments: Policies.otherWorlds)
    func everyShortRawAttackIsKnownUnderOtherAssumptions(_ stated: Assumptions.Stated) throws {
        let classes: [Accessibility] =
            Self.isSoak ? Accessibility.allCases : [.whenUnlockedThisDeviceOnly, .afterFirstUnlock]
        for (number, scene) in try Self.scenes(in: classes).enumerated() {
            for (place, profile) in (Profile.all + [Policies.insider]).enumerated()
            where DaySample.takes(number + place, oneIn: 4) {
                for difference in try Self.compare(scene, profile, assuming: stated, to: Self.isSoak ? 4 : 2) {
                    Issue.record("\(difference)")
                }
            }
        }
    }
}

extension OracleTests {
    /// Twenty cells that are worth more steps: each policy with an attacker to whom it makes a difference.
    static let deep: [(flags: AccessControlFlags, protection: Accessibility, profile: String)] = [
        (.biometryAny, .whenUnlockedThisDeviceOnly, "passcode-thief"),
        (.biometryCurrentSet, .whenUnlockedThisDeviceOnly, "passcode-thief"),
        ([.biometryCurrentSet, .or, .devicePasscode], .whenUnlockedThisDeviceOnly, "passcode-thief"),
        (.companion, .whenUnlockedThisDeviceOnly, "passcode-thief"),
        ([.companion, .and, .devicePasscode], .whenPasscodeSetThisDeviceOnly, "passcode-thief"),
        (.userPresence, .whenPasscodeSetThisDeviceOnly, "passcode-thief"),
        ([], .whenUnlocked, "passcode-thief"),
        (.privateKeyUsage, .afterFirstUnlockThisDeviceOnly, "passcode-thief"),
        (.applicationPassword, .whenUnlockedThisDeviceOnly, "passcode-thief"),
        (.userPresence, .whenUnlockedThisDeviceOnly, "coerced-finger"),
        ([.biometryAny, .and, .devicePasscode], .whenUnlockedThisDeviceOnly, "coerced-finger"),
        ([.biometryCurrentSet, .or, .companion], .afterFirstUnlock, "coerced-finger"),
        (.companion, .afterFirstUnlock, "watch-thief"),
        (.companion, .whenUnlocked, "watch-thief"),
        (.devicePasscode, .alwaysThisDeviceOnly, "lost-powered-off"),
        ([], .afterFirstUnlock, "lost-powered-off"),
        (.userPresence, .whenUnlockedThisDeviceOnly, "snatcher"),
        ([.biometryAny, .or, .companion], .whenUnlockedThisDeviceOnly, "borrower"),
        ([], .whenUnlocked, "backup-thief"),
        (.biometryCurrentSet, .whenUnlockedThisDeviceOnly, "injured-finger"),
    ]

    @Test(.enabled(if: isSoak, "skipped: six steps take minutes; make soak"), arguments: deep.indices)
    func everyRawAttackOfSixStepsIsKnown(_ number: Int) throws {
        let (flags, protection, name) = Self.deep[number]
        let control = try AccessControl(protection: protection, flags: flags)
        let scene = try Scene(storing: [Item(control, isKey: control.guardsKeyUse)])
        let profile = try #require(Profile.named(name))
        for difference in try Self.compare(scene, profile, to: 6) { Issue.record("\(difference)") }
    }
}
