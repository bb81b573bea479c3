import PolicyProver
import PolicyScenarios
import TestSupport
import Testing

/// Tests that what the prover says of random files is so on a vault: no random moves of an attacker reach what is never
/// reached, and every attack plays.
///
/// A failure prints the seed of its file. `LATCHKEY_SOAK_SEED` begins with the file of that seed, and
/// `LATCHKEY_SOAK_STEPS` sets ten times the number of steps to play, if the daily number of files is not enough.
@Suite struct RandomFilesTests {
    static let parts = 2
    static let files = 16
    /// The number of random visits of each attacker.
    static let visits = 12

    @Test(arguments: 0..<parts) func aVerdictAboutARandomFileIsSoOnAVault(part: Int) async {
        var tally = RandomFileTally()
        var seed = Soak.seed + UInt64(part)
        let steps = Soak.steps.map { $0 / 10 / Self.parts }
        while steps.map({ tally.steps < $0 }) ?? (tally.files < Self.files / Self.parts) {
            if let trouble = await RandomFileTrial(seed: seed, visits: Self.visits).trouble(&tally) {
                Issue.record("seed \(seed): \(trouble)")
                return
            }
            seed += UInt64(Self.parts)
            if tally.files.isMultiple(of: 1000) { print("random files, part \(part): \(tally)") }
        }
        print("random files, part \(part): \(tally)")
        // Moves that never reach what an attack reaches would prove nothing.
        #expect(tally.holding > tally.claims / 4)
        #expect(tally.attacks > tally.claims / 5)
        #expect(tally.reached > tally.attacks / 3)
    }
}

/// The counts of the claims and the scenarios so far.
struct RandomFileTally: CustomStringConvertible, Sendable {
    var files = 0
    var claims = 0
    var holding = 0
    var undecided = 0
    /// The number of attacks that the prover printed.
    var attacks = 0
    /// The number of these claims that random moves refute as well.
    var reached = 0
    var scenarios = 0
    var steps = 0
    var granted = 0
    var happened = 0

    var description: String {
        "\(files) files, \(claims) claims of which \(holding) hold and \(undecided) are undecided; "
            + "\(attacks) attacks play, random moves find \(reached) of them; \(scenarios) random scenarios, \(steps) steps, "
            + "\(granted) granted, \(happened) happened, and none reaches what is never reached"
    }
}
