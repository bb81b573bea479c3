import AccessPolicy
import DeviceModel
import PolicyProver
import Testing

/// The phrase of a step says which factors the person gave and which they passed over.
@Suite struct PromptWordsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let flags: AccessControlFlags
        let person: Person
        let words: String

        init(_ flags: AccessControlFlags, _ person: Person, _ words: String) {
            (self.flags, self.person, self.words) = (flags, person, words)
        }

        var testDescription: String { "\(flags), \(words)" }
    }

    private static let enrolled = Finger(rawValue: 0)!
    private static let code = Passcode(rawValue: 1)!
    private static let wrongCode = Passcode(rawValue: 9)!

    static let rows: [Row] = [
        // The passcode instead of biometry, and both of them. The prompt offers the passcode once a match has failed,
        // so a person without a finger fails one first. A companion's prompt offers it at once.
        Row(.userPresence, Person(passcode: code), "fails biometry and uses the passcode"),
        Row(.userPresence, Person(fingers: [.unknown], passcode: code), "fails biometry and uses the passcode"),
        Row(.userPresence, Person(fingers: [enrolled], passcode: code), "authenticates with biometry"),
        Row(
            [.biometryAny, .and, .devicePasscode], Person(fingers: [enrolled], passcode: code),
            "authenticates with biometry and passcode"),
        Row([.biometryAny, .or, .devicePasscode], Person(passcode: code), "fails biometry and uses the passcode"),
        Row([.companion, .or, .devicePasscode], Person(passcode: code), "cancels the companion and uses the passcode"),
        Row(.devicePasscode, Person(passcode: code), "authenticates with the passcode"),
        Row(.devicePasscode, Person(passcode: wrongCode), "fails the passcode"),
        Row(.biometryAny, Person(passcode: code), "cancels biometry"),
        Row(.biometryAny, Person(fingers: [.unknown]), "fails biometry"),
        Row(
            [.biometryAny, .and, .devicePasscode], Person(fingers: [enrolled]),
            "authenticates with biometry and cancels the passcode"),
        Row(
            [.biometryAny, .or, .companion], Person(wearsCompanion: true), "fails biometry and uses the companion"),
        Row(
            [.biometryAny, .and, .companion, .devicePasscode],
            Person(fingers: [enrolled], passcode: code, wearsCompanion: true),
            "authenticates with biometry, companion and passcode"),
        Row(
            [.userPresence, .applicationPassword], Person(passcode: code, applicationPassword: 1),
            "fails biometry and uses the passcode and the application password"),
        Row(
            .applicationPassword, Person(applicationPassword: 1), "authenticates with the application password"),
        Row(.userPresence, .absent, "cancels biometry"),
    ]

    @Test(arguments: rows)
    func aStepSaysWhatWasGiven(_ row: Row) throws {
        var device = Device(passcode: Self.code, enrolled: [Self.enrolled])
        for event in [Event.companionPaired, .companionNear, .companionUnlocked] { _ = device.apply(event) }
        var world = World(device)
        let control = try AccessControl(protection: .whenUnlocked, flags: row.flags)
        let slot = try world.store(Item(control), applicationPassword: control.needsApplicationPassword ? 1 : 0)
        let outcome = world.perform(Call(.readData, slot, by: row.person))
        #expect(outcome.prompts.inWords == row.words)
    }
}
