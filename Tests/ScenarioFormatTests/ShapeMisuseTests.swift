import AccessPolicy
import ScenarioFormat
import Testing

/// Tests that every key of the format, wherever it stands, is misused with a complaint at its place.
///
/// The keys come from the description of the format. The misuse begins the second line of a document, after two spaces.
@Suite struct ShapeMisuseTests {
    private func mistakes(_ text: String) -> [ScenarioError] {
        ScenarioFile(bytes: Array(text.utf8), of: "f").mistakes
    }

    /// Expects a complaint about the misuse. With `begins`, the message only begins so.
    private func expect(_ message: String, begins: Bool = false, in text: String) {
        let mistakes = mistakes(text)
        #expect(
            mistakes.contains {
                ($0.position.line, $0.position.column >= 3) == (2, true)
                    && (begins ? $0.message.hasPrefix(message) : $0.message == message)
            }, "\(message): \(mistakes.map(\.description)) of\n\(text)")
    }

    @Test func theWalkMeetsTheWholeFormat() {
        let names = Set(ShapePlace.all.map(\.record.name))
        #expect(names.isSuperset(of: ["a scenario", "an item", "a file", "a query", "a budget", "a claim"]))
        // Every heading of the tables for people is a mapping that this walk meets.
        let headings = KeyTable.text().split(separator: "\n").count { $0.hasPrefix("### ") } - 1
        #expect(names.count == headings)
        #expect(ShapePlace.all.map(\.uses.count).reduce(0, +) > 300)
    }

    /// A value of the wrong kind, or outside of its range, is a mistake in its line.
    @Test func everyKeyRefusesWhatItDoesNotTake() {
        var refused = 0
        for place in ShapePlace.all {
            for use in place.uses {
                for value in ShapeValue.strangers where !use.field.shape.takes(value) {
                    let text = place.document("\(use.before)\(use.field.key):\n  \(value.yaml)")
                    let mistakes = mistakes(text)
                    #expect(
                        mistakes.contains { $0.position.line == 2 && !$0.message.isEmpty },
                        "\(place.record.name): \(mistakes.map(\.description)) of\n\(text)")
                    refused += 1
                }
            }
        }
        #expect(refused > 3000)
    }

    /// A text that is nearly right is a mistake that says what would be right.
    @Test func everyTextThatIsNearlyRightIsCorrected() {
        for place in ShapePlace.all {
            for use in place.uses {
                guard let (shape, before, after) = use.field.shape.complaining else { continue }
                func expect(_ message: String, begins: Bool = false, about wrong: String) {
                    self.expect(
                        message, begins: begins,
                        in: place.document("\(use.before)\(use.field.key):\n  \(before)\(wrong)\(after)"))
                }
                switch shape {
                case .nothing: expect("expected nothing, found \"x\"", about: "x")
                case .truth: expect("expected true or false, found \"True\"", about: "True")
                case .number(let range):
                    for wrong in [range.lowerBound - 1, range.upperBound + 1] {
                        expect(
                            "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \"\(wrong)\"",
                            about: "\(wrong)")
                    }
                case .duration:
                    expect("expected a length of time such as 30s, 5m, 48h or 1h 30m, found \"5\"", about: "5")
                case .word(let kind, let words):
                    for word in words {
                        let wrong = word + word.suffix(1)
                        if words.contains(wrong) || wrong == "enroll" { continue }
                        expect("unknown \(kind) \"\(wrong)\": did you mean ", begins: true, about: wrong)
                    }
                case .flags:
                    for word in AccessControlFlags.words {
                        let wrong = word + word.suffix(1)
                        expect("unknown flag \"\(wrong)\": did you mean \(word)?", about: "none \(wrong)")
                    }
                case .text, .list, .named, .record, .either, .step, .anything: break
                }
            }
        }
    }

    /// A number at either end of its range is no mistake of its own.
    @Test func bothEndsOfARangeAreTaken() {
        for place in ShapePlace.all {
            for use in place.uses {
                guard let (shape, before, after) = use.field.shape.complaining, case .number(let range) = shape else {
                    continue
                }
                for right in [range.lowerBound, range.upperBound] {
                    let text = place.document("\(use.before)\(use.field.key):\n  \(before)\(right)\(after)")
                    let wrong = mistakes(text).filter { $0.message.hasPrefix("expected a whole number") }
                    #expect(wrong.isEmpty, "\(wrong) of\n\(text)")
                }
            }
        }
    }

    @Test func aMisspelledKeyIsCorrected() {
        for place in ShapePlace.all {
            let keys = Set(place.uses.map(\.field.key))
            for use in place.uses {
                let key = use.field.key
                let wrong = key + key.suffix(1)
                if keys.contains(wrong) { continue }
                expect(
                    "\(place.record.name) has no key \"\(wrong)\": did you mean \(key)?",
                    in: place.document("\(use.before)\n  \(wrong): "))
            }
        }
    }

    @Test func aKeyThatIsThereTwiceIsTheOnlyMistake() {
        for place in ShapePlace.all {
            for use in place.uses {
                let key = use.field.key
                let text = place.document("\(use.before)\(key): ,\n  \(key): ")
                #expect(
                    mistakes(text).map(\.description) == ["f:2:3: duplicate key \"\(key)\", first used in line 1"],
                    "\(text)")
            }
        }
    }

    @Test func aMissingKeyIsNamed() {
        for place in ShapePlace.all {
            let name = place.record.name
            for use in place.uses where use.field.isRequired {
                let text = place.document(use.before)
                let message = "\(name) needs \"\(use.field.key)\": \(use.field.summary)"
                #expect(mistakes(text).contains { $0.message == message }, "\(message) of \(text)")
            }
            if place.record.actions.isEmpty { continue }
            let keys = place.record.actions.map(\.field.key).joined(separator: ", ")
            let text = place.document("")
            #expect(mistakes(text).contains { $0.message == "\(name) needs one of these keys: \(keys)" }, "\(text)")
        }
    }

    /// A mapping does one thing, with the keys that go with it.
    @Test func keysThatDoNotFitEachOtherAreNamed() {
        for place in ShapePlace.all {
            let record = place.record
            let actions = Set(record.actions.map(\.field.key))
            let modifiers = Set(record.actions.flatMap(\.modifiers).map(\.key))
            for action in record.actions {
                let key = action.field.key
                let own = Set((record.fields + action.modifiers).map(\.key))
                for other in actions where other != key && !own.contains(other) {
                    expect(
                        "\"\(other)\" has to be \(record.name) of its own: this one has \"\(key)\" already",
                        in: place.document("\(key): ,\n  \(other): "))
                }
                for other in modifiers where !own.contains(other) && !actions.contains(other) {
                    expect("\"\(other)\" does not go with \"\(key)\"", in: place.document("\(key): ,\n  \(other): "))
                }
            }
        }
    }
}
