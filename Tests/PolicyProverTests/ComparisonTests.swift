import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// Comparisons of two access policies.
@Suite struct ComparisonTests {
    private func compare(
        _ first: AccessControl, _ second: AccessControl, for profile: Profile
    ) throws -> Comparison {
        Comparison(try Scene(storing: [Item(first), Item(second)]), for: profile)
    }

    private func control(_ flags: AccessControlFlags, _ protection: Accessibility = .whenUnlocked) throws
        -> AccessControl
    {
        try AccessControl(protection: protection, flags: flags)
    }

    @Test func theSetIsStrongerThanAnyFinger() throws {
        let comparison = try compare(try control(.biometryCurrentSet), try control(.biometryAny), for: .passcodeThief)
        #expect(comparison.relation == .stronger && comparison.isComplete)
        #expect(comparison.differences.allSatisfy { $0.side == .second && $0.situations > 0 })
        #expect(Set(comparison.differences.map(\.aim)) == [.read, .list, .overwrite])
        let read = try #require(comparison.differences.first { $0.aim == .read })
        #expect(read.story.steps.count == 3)
        // Only the item under the stronger policy can be lost alone.
        #expect(comparison.losses.map(\.side) == [.first] && comparison.losses.map(\.aim) == [.destroy])
    }

    @Test func whatEachAloneOpensIsNeitherStrongerNorWeaker() throws {
        let comparison = try compare(
            try control([.biometryCurrentSet, .or, .devicePasscode]), try control(.biometryAny), for: .passcodeThief)
        #expect(comparison.relation == .weaker)
        // The thief pairs no watch without the Apple Account. An owner may have a watch and no finger, or a new finger
        // and no watch.
        let watch = try control([.biometryCurrentSet, .or, .companion])
        #expect(try compare(watch, try control(.biometryAny), for: .passcodeThief).relation == .stronger)
        #expect(try compare(watch, try control(.biometryAny), for: .owner).relation == .incomparable)
    }

    @Test func aLossAloneMakesNoneTheWeaker() throws {
        // An attacker who removes the passcode destroys only one of the items, and then only the other opens.
        let comparison = try compare(
            AccessControl(.whenPasscodeSetThisDeviceOnly), AccessControl(.whenUnlockedThisDeviceOnly),
            for: .passcodeThief)
        #expect(comparison.relation == .stronger)
        #expect(comparison.losses.map(\.side) == [.first])
    }

    @Test func theOtherWayRoundIsTheOpposite() throws {
        let controls = try PolicySpace.flags(forKey: false).filter { !$0.contains(.applicationPassword) }.map {
            try control($0)
        }
        let opposite: [Comparison.Relation: Comparison.Relation] = [
            .equal: .equal, .stronger: .weaker, .weaker: .stronger, .incomparable: .incomparable,
        ]
        var seen: Set<Comparison.Relation> = []
        for (place, first) in controls.enumerated() {
            for second in controls[place...] {
                let one = try #require(try compare(first, second, for: .injuredOwner).relation)
                let other = try #require(try compare(second, first, for: .injuredOwner).relation)
                #expect(opposite[one] == other, "\(first) and \(second)")
                if first == second { #expect(one == .equal) }
                seen.insert(one)
            }
        }
        #expect(seen == [.equal, .stronger, .weaker])
    }
}
