import AccessPolicy
import PolicyScenarios
import ScenarioFormat
import Testing

/// The table of an account says what the devices of a scenario do.
@Suite struct AccountMatrixTests {
    private static let flags = ["", "require: userPresence", "require: biometryAny", "require: applicationPassword"]

    /// Every class with and without flags, local and synchronizable, on devices of three kinds.
    private static func text(_ accessible: Accessibility, _ flags: String, _ isSynchronizable: Bool) -> String {
        let password = flags.contains("applicationPassword") ? ", applicationPassword: right" : ""
        return """
            name: x
            devices:
              phone: { preset: iPhoneWithFaceID, lockGrace: 0s }
              pad: { passcode: "9999", lockGrace: 0s }
              open: { passcode: none, enrolled: [] }
            items: { a: { accessible: \(accessible.name), synchronizable: \(isSynchronizable), \(flags)\(password) } }
            steps:
              - settle
              - { read: a\(password), expect: anything }
              - { read: a\(password), on: pad, expect: anything }
              - { read: a\(password), on: open, expect: anything }
            """
    }

    @Test(arguments: Accessibility.allCases, [false, true])
    func theOwnerReadsWhatTheTableSays(_ accessible: Accessibility, _ isSynchronizable: Bool) throws {
        for flags in Self.flags {
            let text = Self.text(accessible, flags, isSynchronizable)
            let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
            #expect(file.mistakes.map(\.description) == [])
            let named = try #require(NamedPolicy.grouped(in: file, withAccounts: true).first)
            let matrix = AccountMatrix(of: named.policy, on: named.devices)
            #expect(matrix.devices.map(\.name) == ["phone", "pad", "open"])
            let isStorable = Matrix(of: named.policy, on: named.device).refusal == nil
            #expect(isStorable == !(isSynchronizable && flags != ""))
            var answers: [Bool] = []
            let result = try #require(file.scenarios.first).run { number, _, outcome in
                if number > 1 { answers.append(outcome.succeeded) }
            }
            #expect(result.began == isStorable)
            let unlocked = matrix.rows.filter { $0.condition == .unlocked }.map { $0.cell(by: .owner) }
            #expect(unlocked.map(\.isGranted) == (isStorable ? answers : [false, false, false]), "\(text)")
            let rule: AnyRule? =
                if !isStorable || !isSynchronizable {
                    .item(.itemNotFound)
                } else {
                    accessible.isThisDeviceOnly ? .sync(.thisDeviceOnly) : nil
                }
            #expect(unlocked.map(\.rule) == [isStorable ? nil : .item(.itemNotFound), rule, rule])
            #expect(unlocked[0].isGranted == isStorable)
        }
    }

    /// A person who can unlock a device reads there what syncs.
    @Test func aLockedDeviceIsAsStrongAsItsOwnPasscode() throws {
        let text = Self.text(.whenUnlocked, "", true)
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        let named = try #require(NamedPolicy.grouped(in: file, withAccounts: true).first)
        let matrix = AccountMatrix(of: named.policy, on: named.devices)
        for row in matrix.rows where row.condition == .locked {
            #expect(MatrixPerson.allCases.allSatisfy { row.cell(by: $0).rule == .item(.classLocked) })
        }
        let opened = matrix.rows.filter { $0.condition == .lockedThenUnlocked }
        #expect(opened.map(\.device) == [0, 1])
        for row in opened {
            let who = MatrixPerson.allCases.filter { row.cell(by: $0).isGranted }
            #expect(who == [.owner, .biometryOnly, .passcodeOnly, .thief])
        }
    }

    @Test func withoutAccountsTheGroupsAreAsBefore() throws {
        let text = Self.text(.whenUnlocked, "", true)
        let file = ScenarioFile(bytes: Array(text.utf8), of: "x.yaml")
        #expect(NamedPolicy.grouped(in: file).map(\.devices) == [[]])
    }
}
