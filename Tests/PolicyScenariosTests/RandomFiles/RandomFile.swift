import AccessPolicy
import DeviceModel
import Latchkey
import PolicyProver

/// A random scenario file: a device, apps, items, files, and attackers with claims about what they never reach.
struct RandomFile: Sendable {
    let seed: UInt64
    /// The device, the apps and the items.
    var model: ModelScenario
    var files: [File]
    var visits: [Visit]

    struct File: Sendable {
        var name: String
        var slot: FileSlot
    }

    /// An attacker who gets the device, with the claims against them under one set of assumptions.
    struct Visit: Sendable {
        var profile: Profile
        /// The keys with which the file declares the attacker; nil for one of those that every file knows.
        var declaration: [(String, String)]?
        var stated: Assumptions.Stated
        var reuse: TimeSpan
        var claims: [Goal]

        var assumptions: Assumptions { Assumptions(stated, else: profile.assumes) }
    }

    /// An aim at the item or the file at an index.
    struct Goal: Hashable, Sendable {
        var aim: Aim
        var place: Int
    }

    /// The name of an app that has no group of an item. It is there if an attacker asks through such an app.
    static let outsider = "outsider"

    /// The items that exist at the beginning.
    var storedItems: [Int] { model.items.indices.filter { model.items[$0].isStored } }

    /// Returns the group of the item at this index.
    func group(ofItem place: Int) -> UInt8? {
        model.items[place].group ?? model.apps[model.items[place].app].groups.first
    }
}

// MARK: - As a file

extension RandomFile {
    /// The file with its claims.
    var text: String {
        var lines = declarations(with: [])
        let declared = visits.compactMap { visit in visit.declaration.map { (visit.profile.name, $0) } }
        if !declared.isEmpty { lines.append("attackers:") }
        for (name, entries) in declared { lines.append("  \(name): \(entries.asMapping)") }
        lines.append("claims:")
        for visit in visits { lines += visit.claims.map { "  - \(words(for: $0, visit).asMapping)" } }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the lines of the file before its claims or steps, with these people.
    func declarations(with people: [ModelPerson]) -> [String] {
        var scenario = model
        scenario.people = people
        var lines = scenario.declarations(named: "random file \(seed)")
        if !files.isEmpty { lines.append("files:") }
        for file in files {
            lines.append(
                "  \(file.name): "
                    + [
                        ("protection", file.slot.protection.name),
                        ("excludedFromBackup", "\(file.slot.isExcludedFromBackup)"), ("open", "\(file.slot.isOpen)"),
                    ].asMapping)
        }
        return lines
    }

    private func words(for goal: Goal, _ visit: Visit) -> [(String, String)] {
        var entries = [("never", goal.aim.rawValue)]
        entries.append(goal.aim.isAboutFile ? ("file", files[goal.place].name) : ("item", model.items[goal.place].name))
        entries.append(("against", visit.profile.name))
        let assumptions = Assumptions(visit.stated)
        for assumption in Assumption.allCases where assumption.isStated(in: visit.stated) {
            entries.append((assumption.rawValue, assumption.word(in: assumptions)))
        }
        if visit.reuse > .zero, !goal.aim.isAboutFile { entries.append(("reuse", visit.reuse.written)) }
        return entries
    }
}
