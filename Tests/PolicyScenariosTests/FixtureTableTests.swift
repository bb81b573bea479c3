import Foundation
import PolicyScenarios
import TestSupport
import Testing

/// The files that prove each row of the semantics page, so that no row goes untested.
@Suite struct FixtureTableTests {
    /// A row, by its beginning.
    struct Row: CustomTestStringConvertible {
        let begins: String
        let files: [String]

        init(_ begins: String, _ files: String...) {
            self.begins = begins
            self.files = files
        }

        var testDescription: String { begins }
    }

    static let calls = [
        Row("Add, new item", "calls/adding-a-new-item-asks-nobody"),
        Row("Add over an existing", "calls/adding-over-a-protected-item-asks-before-it-says-duplicate"),
        Row("CopyMatching, ReturnData", "calls/reading-the-data-asks"),
        Row("CopyMatching, ReturnAttributes only", "calls/attributes-ask-as-the-data-does"),
        Row("CopyMatching, ReturnPersistentRef only", "calls/a-persistent-reference-asks-as-the-data-does"),
        Row("CopyMatching, no return keys", "calls/existence-is-told-by-a-call-that-forbids-asking"),
        Row("Update", "calls/updating-asks"),
        Row("Delete", "calls/deleting-asks-nobody"),
        Row("SEP key item", "calls/a-private-key-asks-when-it-is-used"),
        Row("kSecUseAuthenticationUIAllow", "calls/a-call-that-allows-asking-prompts"),
        Row("kSecUseAuthenticationUIFail", "calls/a-call-that-forbids-asking-fails-unless-all-is-proved"),
        Row("kSecUseAuthenticationUISkip", "calls/a-call-that-skips-leaves-protected-items-out"),
    ]

    static let conditions = [
        Row(
            "akpu, no passcode", "device/a-when-passcode-set-item-needs-a-passcode",
            "accessibility/when-passcode-set-needs-a-passcode-to-be-stored"),
        Row("akpu item, passcode removed", "device/a-passcode-that-was-removed-takes-its-items-along"),
        Row("passcode **changed**", "device/a-passcode-that-was-changed-keeps-its-items"),
        Row("userPresence/devicePasscode ACL", "device/presence-without-a-passcode-fails-but-loses-nothing"),
        Row("biometry flags, no hardware", "device/biometry-that-is-not-there-stores-nothing"),
        Row(
            "biometry locked out", "device/a-lockout-takes-biometry-away-until-the-passcode",
            "device/storing-during-a-lockout-is-a-choice"),
        Row("finger/face **added or removed**", "device/another-finger-leaves-biometry-any-readable"),
        Row("same, biometryCurrentSet", "device/another-finger-ends-biometry-current-set"),
    ]

    static let enrollments = [
        Row("Mechanism", "device/another-finger-ends-biometry-current-set"),
        Row("FIELD for -25300", "device/a-changed-set-is-told-by-what-biometry-there-is"),
        Row("Likely split", "device/a-changed-set-is-told-by-what-biometry-there-is"),
        Row("A SEP key", "calls/an-enclave-key-outlives-a-new-finger-and-cannot-be-used"),
        Row("Reverting the enrollment", "device/the-former-set-does-not-bring-the-item-back"),
        Row("biometryAny after", "device/a-reset-sensor-loses-biometry-any"),
        Row("Existence probe", "device/a-changed-set-is-told-by-what-biometry-there-is"),
    ]

    static let passwords = [
        Row(
            "Set in advance", "device/an-application-password-set-in-advance-asks-nobody",
            "device/without-one-the-system-asks-for-the-application-password"),
        Row(
            "Read without a credential", "device/an-application-password-set-in-advance-asks-nobody",
            "device/without-one-the-system-asks-for-the-application-password"),
        Row(
            "Read with a wrong credential", "device/an-application-password-set-in-advance-asks-nobody",
            "device/without-one-the-system-asks-for-the-application-password"),
        Row("Update to add", "device/an-update-can-ask-for-an-application-password-and-stop-it"),
        Row("Delete needs no password", "device/deleting-needs-no-application-password"),
        Row("The password is entangled", "contexts/an-application-password-is-proved-for-one-item"),
    ]

    static let reasons = [
        Row("device restarted", "device/the-device-insists-on-the-passcode-for-each-of-these-reasons"),
        Row("not unlocked for", "device/the-device-insists-on-the-passcode-for-each-of-these-reasons"),
        Row("passcode not used for", "device/a-passcode-unused-for-six-and-a-half-days-is-asked-for"),
        Row("remote lock command", "device/the-device-insists-on-the-passcode-for-each-of-these-reasons"),
        Row("power-off", "device/the-device-insists-on-the-passcode-for-each-of-these-reasons"),
        Row("failed biometric matches", "device/five-failed-matches-lock-biometry-out"),
        Row("Face ID with mask"),  // No simulated sensor recognizes masks.
        Row("always passcode", "device/what-changes-the-settings-takes-the-passcode"),
    ]

    @Test(arguments: [
        ("### 4.4", calls), ("### 4.5", conditions), ("### 4.6", enrollments), ("### 4.7", passwords),
        ("### 7.1", reasons),
    ]) func everyRowIsProvedByAFileThatNamesItsSection(_ heading: String, _ rows: [Row]) throws {
        let names = Self.rows(under: heading, in: try ScenarioFixtures.semantics())
        #expect(names.count == rows.count, "\(names)")
        let section = try #require(heading.split(separator: " ").last)
        for name in names {
            let fitting = rows.filter { name.hasPrefix($0.begins) }
            #expect(fitting.count == 1, "\(name)")
        }
        for file in Set(rows.flatMap(\.files)) {
            let comment = try ScenarioFixture("\(file).yaml").comment
            #expect(comment.contains(section), "\(file) has to name section \(section)")
        }
    }

    /// The rows about the dictionaries of Apple's calls, which no policy affects.
    static let inexpressible = [22]

    @Test func everySurpriseHasItsFile() throws {
        let page = try ScenarioFixtures.semantics()
        let numbers = Self.rows(under: "## 9.", in: page).compactMap { Int($0) }
        #expect(numbers == Array(1...29))
        let files = try ScenarioFixtures.all().filter { $0.name.hasPrefix("surprises/") }
        let proved = files.compactMap { Int($0.name.dropFirst("surprises/".count).prefix(2)) }
        #expect(proved == numbers.filter { !Self.inexpressible.contains($0) })
        for (number, file) in zip(proved, files) {
            #expect(file.comment.hasPrefix("Semantics 9, surprise \(number)"), "\(file.name)")
        }
        let documentation = try String(
            contentsOf: Repository.root.appending(path: "docs/scenarios.md"), encoding: .utf8)
        for number in Self.inexpressible { #expect(documentation.contains("Section 9, surprise \(number):")) }
    }

    /// Returns the first cells of the tables under a heading, or the beginnings of its list if it has no table.
    static func rows(under heading: String, in page: String) -> [String] {
        let lines = page.split(separator: "\n").map(String.init)
        guard let start = lines.firstIndex(where: { $0.hasPrefix(heading + " ") }) else { return [] }
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        var cells: [String] = []
        var isHead = true
        for line in section {
            guard line.hasPrefix("|") else {
                isHead = true
                continue
            }
            if line.hasPrefix("|---") {
                isHead = false
            } else if !isHead {
                cells.append(line.split(separator: "|")[0].trimmingCharacters(in: .whitespaces))
            }
        }
        if !cells.isEmpty { return cells }
        return section.filter { $0.hasPrefix("- ") }.map { String($0.dropFirst(2)) }
    }
}
