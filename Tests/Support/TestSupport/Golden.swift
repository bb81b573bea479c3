internal import Foundation
public import Testing

/// The lists in `Fixtures/golden`, with the spelling and the numbers of everything that is stored or sent.
public enum Golden: Sendable {
    /// Expects that `found` is the list of this name, and names the lines in which they differ.
    ///
    /// Throws if there is no such list.
    public static func expect(
        _ name: String, _ found: [String], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = Repository.root.appending(path: "Fixtures/golden/\(name).txt")
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let differences = found.difference(from: known).map { change in
            switch change {
            case .insert(_, let line, _): "not in \(name).txt: \(line)"
            case .remove(_, let line, _): "only in \(name).txt: \(line)"
            }
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }

    /// Returns a line for each case, with its number and its word.
    public static func lines<Value: CaseIterable & RawRepresentable>(
        _ kind: String, of _: Value.Type, _ word: (Value) -> String
    ) -> [String] where Value.RawValue == UInt8 {
        Value.allCases.map { "\(kind) \($0.rawValue) \(word($0))" }
    }
}
