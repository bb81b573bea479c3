public import Foundation

/// The files of `Fixtures/scenarios`.
public enum ScenarioFixtures: Sendable {
    /// Their folder.
    public static let folder = Repository.root.appending(path: "Fixtures/scenarios")

    /// Returns all of them, in the order of their paths.
    public static func all() throws -> [ScenarioFixture] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try paths.filter { $0.hasSuffix(".yaml") }.sorted().map { try ScenarioFixture($0) }
    }

    /// Returns the page that they all prove a part of.
    public static func semantics() throws -> String {
        try String(contentsOf: Repository.root.appending(path: "docs/apple-semantics.md"), encoding: .utf8)
    }
}

/// A file of scenarios.
public struct ScenarioFixture: Sendable {
    /// The path.
    public let path: String
    /// The path in the folder of all.
    public let name: String
    /// The content.
    public let text: String

    /// Reads the file called `name`.
    public init(_ name: String) throws {
        self.name = name
        path = ScenarioFixtures.folder.appending(path: name).path
        text = try String(contentsOfFile: path, encoding: .utf8)
    }

    /// The comment on top, without its signs.
    public var comment: String {
        text.split(separator: "\n").prefix { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" || $0 == " " } }
            .joined(separator: " ")
    }
}
