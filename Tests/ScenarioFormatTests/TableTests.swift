import PolicyScenarios
import ScenarioFormat
import Testing

/// Tests of `for each`.
@Suite struct TableTests {
    private func file(_ text: String) -> ScenarioFile { ScenarioFile(bytes: Array(text.utf8), of: "t.yaml") }

    @Test func rowsRunOneByOneAndAreNamed() {
        let file = file(
            """
            name: under ${flags}, the owner
            for each:
              - { flags: biometryAny, prompts: [biometry] }
              - { flags: [biometryAny, and, devicePasscode], prompts: [biometry, passcode] }
            items: { token: { require: $flags } }
            steps: [ { read: token, expect: { prompts: $prompts } } ]
            """)
        #expect(file.mistakes.isEmpty, "\(file.mistakes)")
        #expect(
            file.scenarios.map(\.name) == [
                "under biometryAny, the owner (prompts: biometry)",
                "under biometryAny and devicePasscode, the owner (prompts: biometry passcode)",
            ])
        #expect(file.scenarios.allSatisfy { $0.run().passed })
    }

    @Test func columnsAreCombined() {
        let file = file(
            """
            name: every device locks
            for each: { device: [iPhoneWithFaceID, mac], how: [lock, { wait: 1s }, reboot] }
            device: $device
            steps: [ $how ]
            """)
        #expect(file.mistakes.isEmpty, "\(file.mistakes)")
        #expect(file.scenarios.count == 6)
        #expect(file.scenarios.map(\.name).last == "every device locks (device: mac, how: reboot)")
        #expect(Set(file.scenarios.map(\.name)).count == 6)
    }

    @Test(arguments: [
        ("for each: []\nsteps: [lock]", "a table needs at least one row"),
        ("for each: [ { a: 1 }, { b: 2 } ]\nsteps: [lock]", "this row does not have the same columns as the first"),
        ("for each: [ { flag: lock } ]\nsteps: [ $flags ]", "unknown column \"flags\": did you mean flag?"),
        (
            "steps: [ $flags ]",
            "$ names a column of \"for each\", which this scenario lacks: write $$ for a dollar sign"
        ),
        (
            "for each: { a: [1], b: [$a] }\nsteps: [ lock ]\nabout: ${b",
            "a lone $: write $$ for a dollar sign, or ${NAME} for a cell inside a text"
        ),
        ("for each: 3\nsteps: [lock]", "expected a list of rows, or a mapping of columns"),
        (
            "for each: [ { a: lock, b: denied } ]\nsteps: [ $a ]",
            "the column \"b\" is never used: write $b where its cell belongs, or remove it"
        ),
    ])
    func aBadTableIsNamed(_ text: String, _ message: String) {
        let mistakes = file("name: x\n" + text).mistakes.map(\.message)
        #expect(mistakes.contains(message), "\(mistakes)")
    }

    @Test func tooManyRowsAreRefusedInBoundedTime() {
        let column = "[" + (1...200).map(String.init).joined(separator: ", ") + "]"
        let file = file("name: x\nfor each: { a: \(column), b: \(column), c: \(column), d: \(column) }\nsteps: [lock]")
        #expect(file.mistakes.map(\.message) == ["more than 10000 rows: split the table"])
        #expect(file.scenarios.isEmpty)
    }

    @Test func aMistakeInATableIsToldOnce() {
        let file = file("name: x\nfor each: { a: [1, 2, 3] }\nsteps: [ lokc ]")
        #expect(file.mistakes.map(\.description) == ["t.yaml:3:10: unknown step \"lokc\": did you mean lock?"])
    }

    @Test func aDollarSignIsWrittenTwice() throws {
        let file = file(
            "name: costs $$5\nitems: { token: { secret: $$ecret } }\nsteps: [ { read: token, expect: { secret: $$ecret } } ]"
        )
        #expect(file.scenarios.map(\.name) == ["costs $5"])
        #expect(try #require(file.scenarios.first).run().passed)
    }
}
