package import AccessPolicy
package import DeviceModel

/// A device of an account with its name.
package struct NamedDevice: Hashable, Sendable {
    package let name: String
    package var device: MatrixDevice
}

/// A table of who can read an item, or use a key, on each device of an account.
///
/// The first device has stored the item, and the account has delivered everything.
package struct AccountMatrix: Hashable, Sendable {
    /// The result of one trial by one person.
    package struct Cell: Hashable, Sendable {
        /// The rule that denies it; nil if it is granted. A rule of syncing says why the item is not on the device.
        package let rule: AnyRule?
        /// The factors that the person gave, or the empty set if the answer is a denial.
        package let authenticated: FactorSet
        /// The prompts that the person saw, in order.
        package let asked: Prompts

        package init(_ cell: Matrix.Cell) {
            rule = cell.rule.map { .item($0) }
            authenticated = cell.authenticated
            asked = cell.asked
        }

        fileprivate init(absentBy rule: AnyRule) {
            self.rule = rule
            authenticated = []
            asked = Prompts()
        }

        /// True if the person may.
        package var isGranted: Bool { rule == nil }
    }

    /// A device in a condition.
    package struct Row: Hashable, Sendable {
        /// The index of the device.
        package let device: Int
        package let condition: MatrixCondition
        fileprivate let cells: [Cell]

        /// Returns the result of a trial by `person`.
        package func cell(by person: MatrixPerson) -> Cell { cells[Int(person.number)] }
    }

    /// The conditions of each device. A condition that cannot occur on a device is no row of it.
    package static let conditions: [MatrixCondition] = [.unlocked, .locked, .lockedThenUnlocked]

    /// The devices, of which the first one has stored the item.
    package let devices: [NamedDevice]
    /// The use that the table is about.
    package let use: MatrixUse
    package private(set) var rows: [Row] = []

    /// Fills the table for an item under `policy`.
    package init(of policy: MatrixPolicy, on devices: [NamedDevice]) {
        self.devices = devices
        use = policy.isKey ? .use : .read
        var absence: AnyRule?
        for (place, named) in devices.enumerated() {
            let begin = MatrixStage(policy, named.device)
            for condition in Self.conditions {
                var stage = begin
                condition.arrange(&stage)
                guard stage.couldHappen else { continue }
                let cells = MatrixPerson.allCases.map { person in
                    stage.welcome(person)
                    return absence.map { Cell(absentBy: $0) } ?? Cell(stage.attempt(use))
                }
                rows.append(Row(device: place, condition: condition, cells: cells))
            }
            if place == 0 { absence = policy.absence(ifStored: begin.refusal == nil) }
        }
    }
}

extension MatrixPolicy {
    /// The rule by which the item stays on its device although it asks to sync; nil if it does not ask, or syncs.
    package var syncObstacle: SyncRule? { isSynchronizable ? item.syncObstacle : nil }

    /// Returns the rule by which the other devices of the account lack the item; nil if they have it.
    fileprivate func absence(ifStored isStored: Bool) -> AnyRule? {
        if !isStored || !isSynchronizable { return .item(.itemNotFound) }
        return syncObstacle.map { .sync($0) }
    }
}
