import SecretTools
import SodiumKit
import Testing

/// The number of passcodes of a kind, and the time to try them.
@Suite struct PasscodeStrengthTests {
    @Test(arguments: [
        ("7", 10), ("1234", 11_110), ("x", 26), ("X", 26), ("ab", 26 + 26 * 26), ("aB", 52 + 52 * 52), ("!", 33),
        ("\u{7F}", 33),
        ("a1!", 69 + 69 * 69 + 69 * 69 * 69), ("", 0), ("é", 128 + 128 * 128),
    ]) func theyAreCounted(_ passcode: String, _ guesses: Int) throws {
        #expect(PasscodeStrength(try secret(passcode)).guesses == Double(guesses))
    }

    @Test(arguments: [
        ("7", 0.5, "at most 10 of this kind", "at most 5 seconds."), ("1", 0.1, "at most 10 of", "at most 1 second."),
        ("123456", 0.5, "at most 2 million of", "at most 7 days."),
        ("abc", 0.3, "at most 18,278 of", "at most 2 hours."),
        ("hello", 0.5, "at most 13 million of", "at most 72 days."),
        ("12345678", 0.4, "at most 112 million of", "at most 2 years."),
        ("abcdefg", 1, "at most 9 thousand million of", "at most 265 years."),
    ]) func aWeakOneIsWarnedOf(_ passcode: String, _ seconds: Double, _ count: String, _ time: String) throws {
        let warning = try #require(PasscodeStrength(try secret(passcode)).warning(secondsPerGuess: seconds))
        #expect(warning.contains(count) && warning.contains(time), "\(warning)")
        #expect(passcode.count < 3 || !warning.contains(passcode))
    }

    @Test(arguments: ["abcdefgh", "correct horse", "Xk4!vN9q", "0123456789012", "пароль"])
    func aLongOneIsNot(_ passcode: String) throws {
        #expect(PasscodeStrength(try secret(passcode)).warning(secondsPerGuess: 0.5) == nil)
    }

    @Test func oneIsTriedToKnowHowLongThatTakes() throws {
        #expect(PasscodeStrength(try secret("1")).warning(.interactive)?.contains("at most 10 of") == true)
        #expect(PasscodeStrength(try secret(String(repeating: "long", count: 200))).warning(.sensitive) == nil)
    }
}
