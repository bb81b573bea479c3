import Foundation
import PolicyScenarios
import TestSupport

/// The files of `Fixtures/scenarios`.
enum Fixtures {
    static let folder = Repository.root.appending(path: "Fixtures/scenarios").path

    /// All of them.
    static func all() throws -> [Fixture] {
        try Discovery.files([folder]).map { path in
            Fixture(
                path: path, name: String(path.dropFirst(folder.count + 1)),
                text: try String(contentsOfFile: path, encoding: .utf8))
        }
    }

    /// The page on which they all stand.
    static func semantics() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "docs/apple-semantics.md"), encoding: .utf8)
    }
}

/// A file of scenarios.
struct Fixture {
    let path: String
    /// Its path from the folder of all on.
    let name: String
    let text: String

    var file: ScenarioFile { ScenarioFile(bytes: Array(text.utf8), of: path) }

    /// The comment on top, without its signs.
    var comment: String {
        text.split(separator: "\n").prefix { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" || $0 == " " } }
            .joined(separator: " ")
    }
}

extension Sequence where Element: Equatable & Hashable {
    /// What stands here more than once.
    var repeated: [Element] { Dictionary(grouping: self) { $0 }.filter { $0.value.count > 1 }.map(\.key) }
}
