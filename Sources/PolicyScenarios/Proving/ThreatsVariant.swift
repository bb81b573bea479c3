internal import AccessPolicy
internal import DeviceModel
package import PolicyProver

/// A variant of a table of threats that differs from it in one assumption or setting. The table marks the cells that
/// change.
package struct ThreatsVariant: Sendable {
    /// The letter that marks these cells.
    package let mark: String
    /// The difference in the words of files.
    package let words: String
    /// The difference in words for a reader.
    package let meaning: AssumptionMeaning
    let assumes: Assumptions.Stated
    private let kind: Kind

    /// The kind of difference.
    private enum Kind: Sendable {
        /// One assumption has another value.
        case assumption(Assumption)
        /// Stolen Device Protection is on.
        case theftProtection

        /// Returns true if the difference can matter to `profile`.
        func concerns(_ profile: Profile) -> Bool {
            switch self {
            case .assumption(let assumption): assumption.applies(to: profile.holds)
            case .theftProtection:
                !profile.can.intersection([.enroll, .remove, .changePasscode, .removePasscode, .erase]).isEmpty
            }
        }

        func scene(_ scene: Scene) -> Scene {
            switch self {
            case .assumption: scene
            case .theftProtection: scene.underTheftProtection
            }
        }
    }

    /// Returns every variant that differs in one thing from `device` and the assumptions in `stated`.
    ///
    /// Only an iPhone that its owner has set up can have Stolen Device Protection on. It needs a passcode.
    static func all(besides stated: Assumptions.Stated, on device: MatrixDevice) -> [ThreatsVariant] {
        let protected = ThreatsVariant(
            mark: "P", words: Assumed.theftProtection.words, meaning: Assumed.theftProtection.meaning, assumes: stated,
            kind: .theftProtection)
        let isOffered = device.kind == .iPhone && device.isSetUp && !device.settings.stolenDeviceProtection
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
                    meaning: assumption.meaning(of: word), assumes: assumes, kind: .assumption(assumption))
            }
        }
    }

    /// Returns the rows of `profiles` for `scene` in this variant. A row is nil if the difference cannot matter to its
    /// profile.
    func threats(_ scene: Scene, _ profiles: [Profile], tellsStories: Bool) -> [(threats: Threats, row: Int)?] {
        let concerned = profiles.filter(kind.concerns)
        let threats = Threats(kind.scene(scene), profiles: concerned, assuming: assumes, tellsStories: tellsStories)
        return profiles.map { profile in concerned.firstIndex(of: profile).map { (threats, $0) } }
    }
}

/// A table of threats for one scene, with its variants.
package struct ThreatsTable: Sendable {
    /// The table itself.
    package let base: Threats
    package let device: MatrixDevice
    /// The variants that it is compared with.
    package let variants: [ThreatsVariant]
    private let others: [[(threats: Threats, row: Int)?]]

    /// Searches `scene`, which is on `device`, for each profile, in the table and in every variant of it.
    package init(
        _ scene: Scene, on device: MatrixDevice, profiles: [Profile], assuming stated: Assumptions.Stated,
        tellsStories: Bool = true
    ) {
        base = Threats(scene, profiles: profiles, assuming: stated, tellsStories: tellsStories)
        self.device = device
        variants = ThreatsVariant.all(besides: stated, on: device)
        others = variants.map { $0.threats(scene, profiles, tellsStories: tellsStories) }
    }

    /// A cell whose result differs in a variant.
    package struct Difference: Sendable {
        package let variant: ThreatsVariant
        package let assumed: Assumed
        /// The result there.
        package let cell: Threats.Cell
        /// The shortest story there, or nil if there is none.
        package let story: Attack?
    }

    /// Returns the variants in which a cell has another result.
    package func differences(_ profile: Int, _ aim: Aim, of item: Int = 0) -> [Difference] {
        zip(variants, others).compactMap { variant, rows in
            guard let (threats, row) = rows[profile] else { return nil }
            let cell = threats.cell(row, aim, of: item)
            guard cell != base.cell(profile, aim, of: item) else { return nil }
            var device = device
            device.settings = threats.scene.world.device.settings
            return Difference(
                variant: variant, assumed: Assumed(threats.assumptions[row], on: device), cell: cell,
                story: threats.story(row, aim, of: item))
        }
    }

    /// The sizes of all searches, those of the variants included.
    package var extents: [Extent] {
        base.extents
            + zip(variants, others).flatMap { _, rows in rows.compactMap { $0.map { $0.threats.extents[$0.row] } } }
    }
}
