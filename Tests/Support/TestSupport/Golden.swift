internal import Foundation

/// The lists in `Fixtures/golden`, with the spelling and the numbers of everything that is stored or sent.
public enum Golden: Sendable {
    /// Returns the lines in which `found` and the list of this name differ, none if they are the same.
    ///
    /// Throws if there is no such list.
    public static func differences(_ name: String, _ found: [String]) throws -> [String] {
        let file = Repository.root.appending(path: "Fixtures/golden/\(name).txt")
        let known = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        return found.difference(from: known).map { change in
            switch change {
            case .insert(_, let line, _): "not in \(name).txt: \(line)"
            case .remove(_, let line, _): "only in \(name).txt: \(line)"
            }
        }
    }

    /// Returns a line for each case, with its number and its word.
    public static func lines<Value: CaseIterable & RawRepresentable>(
        _ kind: String, of _: Value.Type, _ word: (Value) -> String
    ) -> [String] where Value.RawValue == UInt8 {
        Value.allCases.map { "\(kind) \($0.rawValue) \(word($0))" }
    }
}
