package import AccessPolicy
internal import DeviceModel
package import PolicyProver

/// Who can come to what, for every policy that flags can write.
package struct ThreatsSurvey: Sendable {
    /// What comes of one policy: a cell for each profile and aim.
    package struct Row: Sendable {
        /// The policy.
        package let control: AccessControl
        /// True if it guards the use of a private key.
        package let isKey: Bool
        /// By profile and aim.
        fileprivate let cells: [[Cell]]

        /// Returns the outcome for one of ``ThreatsSurvey/profiles``.
        package func cell(_ profile: Int, _ aim: Aim) -> Cell { cells[profile][aim.place] }
    }

    /// The outcome of one aim of an attacker.
    package struct Cell: Hashable, Sendable {
        package let result: Threats.Cell
        package let story: String?
        package let otherwise: [Otherwise]

        /// The outcome in another world.
        package struct Otherwise: Hashable, Sendable {
            package let mark: String
            package let words: String
            package let assumed: [Assumed.Field]
            package let result: Threats.Cell
            package let story: String?
        }
    }

    /// The policies, in the order of their classes.
    package let rows: [Row]
    /// How many situations were searched.
    package let situations: Int
    /// The assumptions.
    package let assumed: Assumed
    /// The other worlds that cells tell of.
    package let variants: [ThreatsVariant]
    /// The attackers, in the order of the cells.
    package static let profiles = Profile.all

    /// Of every policy in these classes, on all cores. `progress` is told, one call at a time, how many of how many are done.
    package init(
        in classes: [Accessibility] = Accessibility.allCases, on device: MatrixDevice,
        assuming stated: Assumptions.Stated = .init(),
        progress: @Sendable @escaping (Int, Int) -> Void = { _, _ in }
    ) {
        let items = [false, true].flatMap { isKey in
            PolicySpace.policies(forKey: isKey, in: classes).map { MatrixPolicy($0, isKey: isKey).item }
        }
        let survey = Survey(device.settings, isSetUp: device.isSetUp, of: items)
        let done = Tally(survey.items.count, progress)
        let batches = Suite.concurrently(survey.scenes.count) { place in
            let table = ThreatsTable(survey.scenes[place], assuming: stated)
            let rows = table.base.scene.items.indices.map { Row(table, $0) }
            done.add(rows.count)
            return (rows: rows, situations: table.extents.reduce(0) { $0 + $1.situations })
        }
        assumed = Assumed(Assumptions(stated), on: device.settings)
        variants = ThreatsVariant.all(besides: stated, on: device)
        rows = batches.flatMap(\.rows)
        situations = batches.reduce(0) { $0 + $1.situations }
    }
}

extension ThreatsSurvey.Row {
    fileprivate init(_ table: ThreatsTable, _ item: Int) {
        let threats = table.base
        let stored = threats.scene.world[threats.scene.items[item]]?.item
        control = stored?.control ?? AccessControl(.whenUnlocked)
        isKey = stored?.isKey == true
        cells = threats.profiles.indices.map { profile in
            Aim.allCases.map { aim in
                ThreatsSurvey.Cell(
                    result: threats.cell(profile, aim, of: item), story: threats.story(profile, aim, of: item)?.line,
                    otherwise: table.differences(profile, aim, of: item).map { difference in
                        ThreatsSurvey.Cell.Otherwise(
                            mark: difference.variant.mark, words: difference.variant.words,
                            assumed: difference.assumed.fields(for: threats.profiles[profile].holds),
                            result: difference.cell, story: difference.story?.line)
                    })
            }
        }
    }
}

extension Aim {
    fileprivate var place: Int { Aim.allCases.firstIndex(of: self) ?? 0 }
}
