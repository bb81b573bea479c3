import Foundation
import TestSupport

/// The tables and lists of the page on Apple's semantics.
struct Page {
    /// A row of a table: name, value and remark.
    struct Row {
        let name: String
        let value: String
        let note: String
    }

    private let sections: [String: [Substring]]

    init() throws {
        let file = Repository.root.appending(path: "docs/apple-semantics.md")
        var sections: [String: [Substring]] = [:]
        var number = ""
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let heading = line.wholeMatch(of: /#{2,3} ([0-9.]+) .*/) { number = String(heading.1) }
            sections[number, default: []].append(line)
        }
        self.sections = sections
    }

    func text(of section: String) -> String { (sections[section] ?? []).joined(separator: "\n") }

    /// Returns the rows of a section's table, without its head.
    func rows(of section: String) -> [Row] {
        (sections[section] ?? []).filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(name: cells[0], value: cells[1], note: cells[2])
        }
    }
}
