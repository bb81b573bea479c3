public import Foundation

/// A data file of `Fixtures/policies`: tab-separated rows under comments.
public struct FixtureTable: Sendable {
    /// The cells, row by row.
    public let rows: [[String]]

    /// Reads the table of this name.
    public init(_ name: String) throws {
        let file = Repository.root.appending(path: "Fixtures/policies/\(name).tsv")
        rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The rest of each row under its first cell.
    public var byFirst: [String: [String]] {
        Dictionary(uniqueKeysWithValues: rows.map { ($0[0], Array($0.dropFirst())) })
    }
}

/// Paths in the checkout that the tests were built from.
public enum Repository: Sendable {
    /// The top folder.
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
