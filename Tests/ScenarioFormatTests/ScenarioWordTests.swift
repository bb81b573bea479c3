import Foundation
import PolicyScenarios
import PolicyWords
import ScenarioFormat
import TestSupport
import Testing

/// Tests that the words of scenario files keep their spelling, since existing files use them.
@Suite struct ScenarioWordTests {
    /// Collects the words of every place that accepts one of several.
    private static func alternatives(_ value: Any, _ name: String, into lines: inout Set<String>) {
        if let object = value as? [String: Any] {
            if let words = object["enum"] as? [String] { lines.insert("\(name): \(words.joined(separator: ", "))") }
            for (key, inner) in object { alternatives(inner, key, into: &lines) }
        } else if let list = value as? [Any] {
            for inner in list { alternatives(inner, name, into: &lines) }
        }
    }

    @Test func theWordsAreAsEver() throws {
        var lines: Set<String> = []
        Self.alternatives(try JSONSerialization.jsonObject(with: Data(JSONSchema.text().utf8)), "", into: &lines)
        lines.insert("steps: \(Steps.all.map(\.word).joined(separator: ", "))")
        try Golden.expect("scenario-words", lines.sorted())
    }
}
