import AccessPolicy
import Testing

/// Checks that a value that lists its properties lists all of them, by their names.
@Suite struct DescribedTests {
    @Test func fidelityListsEveryChoice() {
        let names = FieldNames(of: Fidelity()).all.map(\.name)
        #expect(names.sorted() == Mirror(reflecting: Fidelity()).children.compactMap(\.label).sorted())
    }

    @Test func aChoiceIsMadeByItsNameAlone() {
        for field in FieldNames(of: Fidelity()).all {
            #expect(field.says != "" && Set(field.choices.map(\.name)).count == field.choices.count)
            for choice in field.choices {
                var fidelity = Fidelity()
                var setter = FieldSetter(field.name, to: choice.name)
                fidelity.describe(to: &setter)
                let changed = zip(FieldNames(of: fidelity).all, FieldNames(of: Fidelity()).all)
                    .filter { $0.choice != $1.choice }.map(\.0)
                #expect(changed.map(\.name) == (choice.name == field.choice ? [] : [field.name]))
                #expect(changed.allSatisfy { $0.choice == choice.name })
            }
        }
    }

    @Test func whatIsUnknownIsNotChosen() {
        for (field, word) in [("presence", "magic"), ("magic", "biometryOrPasscode")] {
            var fidelity = Fidelity()
            var setter = FieldSetter(field, to: word)
            fidelity.describe(to: &setter)
            #expect(fidelity == Fidelity())
        }
    }
}
