import Testing

/// The number of facts, by section. Change it when you add or remove one.
@Suite struct SemanticsCounts {
    private static let sections: [(name: String, facts: [Fact])] = [
        ("1.6", Section1_06_Translation.facts), ("3.1", Section3_01_Attributes.facts),
        ("3.2", Section3_02_PrimaryKeys.facts), ("3.3", Section3_03_Defaults.facts),
        ("3.4", Section3_04_Parsing.facts), ("3.5", Section3_05_Add.facts), ("3.6", Section3_06_Update.facts),
        ("3.7", Section3_07_Delete.facts), ("3.8", Section3_08_Results.facts), ("3.9", Section3_09_Lost.facts),
        ("3.10", Section3_10_Groups.facts), ("3.11", Section3_11_References.facts),
        ("3.12", Section3_12_Synchronizable.facts), ("4.2", Section4_02_Constraints.facts),
        ("4.4", Section4_04_Asking.facts), ("4.5", Section4_05_Conditions.facts),
        ("4.6", Section4_06_CurrentSet.facts), ("4.7", Section4_07_ApplicationPasswords.facts),
        ("5", Section5_Accessibility.facts), ("9", Section9_Surprises.facts),
    ]

    @Test func everySectionHasItsFacts() {
        let counts = Self.sections.map { "\($0.name): \($0.facts.count)" }.joined(separator: ", ")
        #expect(
            counts
                == "1.6: 15, 3.1: 35, 3.2: 57, 3.3: 21, 3.4: 82, 3.5: 29, 3.6: 42, 3.7: 18, 3.8: 40, 3.9: 12, 3.10: 16, 3.11: 17, 3.12: 5, 4.2: 15, 4.4: 36, 4.5: 18, 4.6: 21, 4.7: 23, 5: 48, 9: 24"
        )
    }

    @Test func everyFactHasItsOwnWords() {
        for (name, facts) in Self.sections {
            let words = Dictionary(grouping: facts, by: \.words).filter { $0.value.count > 1 }.keys.sorted()
            #expect(words.isEmpty, "\(name)")
        }
    }

    @Test func everyKindOfEvidenceHasItsFacts() {
        let evidence = Dictionary(grouping: Self.sections.flatMap(\.facts), by: \.evidence).mapValues(\.count)
        #expect(
            evidence == [
                .test: 82, .code: 359, .header: 35, .documentation: 15, .field: 54, .inference: 10, .unverified: 7,
                .ours: 12,
            ], "\(evidence)")
    }
}
