internal import AccessPolicy
internal import DeviceModel
package import PolicyProver

/// A world that differs from that of a table of threats in one thing. Cells that come out otherwise there are marked.
package struct ThreatsVariant: Sendable {
    /// The letter that marks them.
    package let mark: String
    /// The difference in the words of files.
    package let words: String
    /// The assumptions there.
    let assumes: Assumptions.Stated
    private let kind: Kind

    /// The difference.
    private enum Kind: Sendable {
        /// One assumption.
        case assumption(Assumption)
        /// Stolen Device Protection is on.
        case theftProtection

        /// Returns true if it can make a difference to `profile`.
        func concerns(_ profile: Profile) -> Bool {
            switch self {
            case .assumption(let assumption): assumption.applies(to: profile.holds)
            case .theftProtection:
                !profile.can.intersection([.enroll, .remove, .changePasscode, .removePasscode, .erase]).isEmpty
            }
        }

        /// `scene` in that world.
        func scene(_ scene: Scene) -> Scene {
            switch self {
            case .assumption: scene
            case .theftProtection: scene.underTheftProtection
            }
        }
    }

    /// Every world that differs in one thing from that of `device` and of what `stated` states. Only an iPhone that its owner has set
    /// up can have Stolen Device Protection on.
    static func all(besides stated: Assumptions.Stated, on device: MatrixDevice) -> [ThreatsVariant] {
        let protected = ThreatsVariant(
            mark: "P", words: Assumed.theftProtection.words, assumes: stated, kind: .theftProtection)
        let isOffered = !device.isMac && device.isSetUp && !device.settings.stolenDeviceProtection
        return otherAssumptions(besides: stated) + (isOffered ? [protected] : [])
    }

    private static func otherAssumptions(besides stated: Assumptions.Stated) -> [ThreatsVariant] {
        let usual = Assumptions(stated)
        return Assumption.allCases.flatMap { assumption in
            assumption.words.filter { $0 != assumption.word(in: usual) }.map { word in
                var assumes = stated
                _ = assumption.state(word, in: &assumes)
                return ThreatsVariant(
                    mark: assumption.rawValue.prefix(1).uppercased(), words: "\(assumption.rawValue): \(word)",
                    assumes: assumes, kind: .assumption(assumption))
            }
        }
    }

    /// The rows of `profiles` for `scene` in this world; nil for those that it makes no difference to.
    func threats(_ scene: Scene, _ profiles: [Profile], tellsStories: Bool) -> [(threats: Threats, row: Int)?] {
        let concerned = profiles.filter(kind.concerns)
        let threats = Threats(kind.scene(scene), profiles: concerned, assuming: assumes, tellsStories: tellsStories)
        return profiles.map { profile in concerned.firstIndex(of: profile).map { (threats, $0) } }
    }
}

/// The table of one scene in the world that it is about, and in those that differ from it in one thing.
package struct ThreatsTable: Sendable {
    package let base: Threats
    package let variants: [ThreatsVariant]
    private let others: [[(threats: Threats, row: Int)?]]

    package init(
        _ scene: Scene, profiles: [Profile] = Profile.all, assuming stated: Assumptions.Stated,
        tellsStories: Bool = true
    ) {
        base = Threats(scene, profiles: profiles, assuming: stated, tellsStories: tellsStories)
        let device = scene.world.device
        variants = ThreatsVariant.all(
            besides: stated, on: MatrixDevice(device.settings, isSetUp: device.passcode != nil))
        others = variants.map { $0.threats(scene, profiles, tellsStories: tellsStories) }
    }

    /// The outcome of a cell in one of the other worlds, if it differs.
    package struct Difference: Sendable {
        package let variant: ThreatsVariant
        package let assumed: Assumed
        package let cell: Threats.Cell
        package let story: Story?
    }

    /// How a cell differs in the other worlds.
    package func differences(_ profile: Int, _ aim: Aim, of item: Int = 0) -> [Difference] {
        zip(variants, others).compactMap { variant, rows in
            guard let (threats, row) = rows[profile] else { return nil }
            let cell = threats.cell(row, aim, of: item)
            guard cell != base.cell(profile, aim, of: item) else { return nil }
            return Difference(
                variant: variant, assumed: Assumed(threats.assumptions[row], on: threats.scene.world.device.settings),
                cell: cell,
                story: threats.story(row, aim, of: item))
        }
    }

    /// The searches of every world.
    package var extents: [Extent] {
        base.extents
            + zip(variants, others).flatMap { _, rows in rows.compactMap { $0.map { $0.threats.extents[$0.row] } } }
    }
}
