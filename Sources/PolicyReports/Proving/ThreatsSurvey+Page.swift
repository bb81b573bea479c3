internal import AccessPolicy
internal import PlainText
internal import PolicyProver
package import PolicyScenarios

extension ThreatsSurvey {
    /// The survey as JSON: one object per policy.
    package var json: String {
        let objects = rows.map { row in
            var cells: [String] = []
            for (place, profile) in Self.profiles.enumerated() {
                for aim in Aim.ofItems where aim.isOpen(toKey: row.isKey) {
                    let cell = row.cell(place, aim)
                    let otherwise = cell.otherwise.map { other in
                        JSONText.object(
                            [("with", Quoting.json(other.words)), ("assumptions", JSONText.assumptions(other.assumed))]
                                + other.result.fields(other.story.map(Quoting.json)))
                    }
                    cells.append(
                        JSONText.object(
                            [("profile", Quoting.json(profile.name)), ("aim", Quoting.json(aim.rawValue))]
                                + cell.result.fields(cell.story.map(Quoting.json))
                                + [("otherwise", JSONText.list(otherwise))]))
                }
            }
            return "  "
                + JSONText.object([
                    ("policy", Quoting.json("\(row.control)")), ("key", "\(row.isKey)"),
                    ("assumptions", JSONText.assumptions(assumed.fields)), ("cells", JSONText.list(cells)),
                ])
        }
        return "[\n" + objects.joined(separator: ",\n") + "\n]\n"
    }

    /// Returns the survey as text for a terminal: a table for each aim, with one row for all policies of the same result.
    package func table(colored: Bool) -> String {
        var text = "assuming \(assumed)\n\(variants.legend())\n\n"
        for isKey in [false, true] {
            for aim in Aim.ofItems where aim.isOpen(toKey: isKey) {
                var table = TextTable()
                table.rows.append(
                    [.init(Self.title(aim, isKey), .heading)] + Self.profiles.map { .init($0.name, .heading) })
                for group in groups(rows.filter { $0.isKey == isKey }, aim, showing: { _ in nil }) {
                    for (place, row) in group.enumerated() {
                        table.rows.append(
                            [.init("\(row.control)")]
                                + (place > 0
                                    ? []
                                    : Self.profiles.indices.map { profile in
                                        let cell = row.cell(profile, aim)
                                        return .init(
                                            cell.words { _ in nil }, cell.result == .never ? .good : .bad)
                                    }))
                    }
                }
                text += table.text(colored: colored) + "\n"
            }
        }
        return text + "Searched: \(counted(situations, "situation")).\n"
    }

    /// The survey as Markdown: a table for each aim in the default class, the differences in other classes, and the attacks.
    package var markdown: String {
        var stories: [String] = []
        func number(_ story: String) -> Int? {
            if let place = stories.firstIndex(of: story) { return place + 1 }
            stories.append(story)
            return stories.count
        }
        func table(_ groups: [[Row]], _ aim: Aim) -> String {
            let head = ["policy"] + Self.profiles.map { "`\($0.name)`" }
            return
                ([head, head.map { _ in "---" }]
                + groups.map { group in
                    [group.map(\.flags).joined(separator: "<br>")]
                        + Self.profiles.indices.map { group[0].cell($0, aim).words(number) }
                }).map(Quoting.markdownRow).joined()
        }
        // No blank line comes first: `make docs` puts this after the prose of the page.
        var page = ""
        let usual = Accessibility.whenUnlockedThisDeviceOnly
        let classes = ([usual] + Accessibility.allCases.filter { $0 != usual }).filter { protection in
            rows.contains { $0.control.protection == protection }
        }
        for isKey in [false, true] {
            for aim in Aim.ofItems where aim.isOpen(toKey: isKey) {
                page += "\(page.isEmpty ? "" : "\n")### \(Self.title(aim, isKey))\n"
                var seen: [(protection: Accessibility, rows: [Row])] = []
                for protection in classes {
                    let own = rows.filter { $0.isKey == isKey && $0.control.protection == protection }
                    let model = seen.min { left, right in
                        changed(own, from: left.rows, aim).count < changed(own, from: right.rows, aim).count
                    }
                    let new = model.map { changed(own, from: $0.rows, aim) } ?? own
                    seen.append((protection, own))
                    guard let model else {
                        page += "\nIn `\(protection.name)`:\n\n" + table(groups(new, aim, showing: number), aim)
                        continue
                    }
                    if new.isEmpty {
                        page += "\n`\(protection.name)` is the same as `\(model.protection.name)`.\n"
                    } else {
                        page += "\n`\(protection.name)` is the same as `\(model.protection.name)`, except for:\n\n"
                        page += table(groups(new, aim, showing: number), aim)
                    }
                }
            }
        }
        page += "\n### Attacks\n\n"
        for (place, story) in stories.enumerated() { page += "\(place + 1). \(story)\n" }
        return page + "\nSearched: \(counted(rows.count, "policy", "policies")), \(counted(situations, "situation")).\n"
    }

    private static func title(_ aim: Aim, _ isKey: Bool) -> String {
        let thing = isKey ? "a private key" : "an item"
        return switch aim {
        case .read: "Who can read \(thing)"
        case .use: "Who can use \(thing)"
        case .readNext: "Who can read what the owner stores next"
        case .list: "Who can see the attributes of \(thing)"
        case .overwrite: "Who can overwrite \(thing)"
        case .destroy: "Who can destroy \(thing)"
        case .readFile: "Who can read a file"
        case .createFile: "Who can create a file"
        case .appendFile: "Who can write to a file"
        }
    }

    /// Groups policies with the same result for all profiles, in the order of the first of each group.
    private func groups(
        _ rows: [Row], _ aim: Aim, showing number: (String) -> Int?
    ) -> [[Row]] {
        var places: [String: Int] = [:]
        var groups: [[Row]] = []
        for row in rows {
            let key = Self.profiles.indices.map { row.cell($0, aim).words(number) }.joined(separator: "|")
            if let place = places[key] {
                groups[place].append(row)
            } else {
                places[key] = groups.count
                groups.append([row])
            }
        }
        return groups
    }

    /// Returns those of `rows` whose result differs from the same flags in another class.
    private func changed(_ rows: [Row], from others: [Row], _ aim: Aim) -> [Row] {
        rows.filter { row in
            guard let other = others.first(where: { $0.flags == row.flags }) else { return true }
            return !Self.profiles.indices.allSatisfy { row.cell($0, aim) == other.cell($0, aim) }
        }
    }
}

extension ThreatsSurvey.Row {
    fileprivate var flags: String {
        let demand = "\(control)".dropFirst(control.protection.name.count)
        return demand.isEmpty ? "no flags" : String(demand.drop { $0 == "," || $0 == " " })
    }
}

extension ThreatsSurvey.Cell {
    /// The text of a table, in which a number refers to an attack.
    fileprivate func words(_ number: (String) -> Int?) -> String {
        ([Self.words(result, story, number)]
            + otherwise.map { "\($0.mark) \(Self.words($0.result, $0.story, number))" }).joined(separator: " · ")
    }

    private static func words(_ cell: Threats.Cell, _ story: String?, _ number: (String) -> Int?) -> String {
        guard case .steps(let count) = cell, count > 0, let place = story.flatMap(number) else { return cell.words }
        return "\(count) [\(place)]"
    }
}
