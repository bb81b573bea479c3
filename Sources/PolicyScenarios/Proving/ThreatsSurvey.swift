package import AccessPolicy
internal import DeviceModel
package import PolicyProver

/// A table of what each profile can do under every access policy that flags can express.
package struct ThreatsSurvey: Sendable {
    /// The result for one policy: a cell for each profile and each aim.
    package struct Row: Sendable {
        package let control: AccessControl
        /// True if it guards the use of a private key.
        package let isKey: Bool
        /// The cells by profile and aim.
        fileprivate let cells: [[Cell]]

        /// Returns the result for one of ``ThreatsSurvey/profiles``.
        package func cell(_ profile: Int, _ aim: Aim) -> Cell { cells[profile][aim.place] }
    }

    /// The result for one profile and one aim.
    package struct Cell: Hashable, Sendable {
        /// The result under the assumptions of the table.
        package let result: Threats.Cell
        /// The shortest story in one line, or nil if there is none.
        package let story: String?
        /// The variants with another result.
        package let otherwise: [Otherwise]

        /// The result in a variant.
        package struct Otherwise: Hashable, Sendable {
            /// The letter that marks the variant.
            package let mark: String
            /// The difference of the variant, in the words of files.
            package let words: String
            package let assumed: [Assumed.Field]
            package let result: Threats.Cell
            /// The shortest story in one line, or nil if there is none.
            package let story: String?
        }
    }

    /// The policies, in the order of their classes.
    package let rows: [Row]
    /// The number of situations that were searched.
    package let situations: Int
    package let assumed: Assumed
    /// The variants that the cells compare with.
    package let variants: [ThreatsVariant]
    /// The attackers, in the order of the cells.
    package static let profiles = Profile.all

    /// Searches every policy in these classes on all cores.
    ///
    /// `progress` receives the number of policies that are done and the number of all, one call at a time.
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
            let table = ThreatsTable(survey.scenes[place], on: device, profiles: Self.profiles, assuming: stated)
            let rows = table.base.scene.items.indices.map { Row(table, $0) }
            done.add(rows.count)
            return (rows: rows, situations: table.extents.reduce(0) { $0 + $1.situations })
        }
        assumed = Assumed(Assumptions(stated), on: device)
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
            Aim.ofItems.map { aim in
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
    fileprivate var place: Int { Aim.ofItems.firstIndex(of: self) ?? 0 }
}
