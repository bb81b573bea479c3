internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem

/// `latchkey demo`
enum DemoCommand {
    struct Options: OptionList {
        let step = Option("--step", says: "wait for Return before each section; needs a terminal")
    }

    static let declaration = Declaration(
        name: "demo", summary: "show how a new finger invalidates a secret, on a temporary vault",
        text: """
            Creates a vault in a temporary folder, enrolls a finger, saves a secret for the fingers that are enrolled now, and
            reads it. Then it enrolls another finger, and shows that the key to the secret is gone. Vault, encryption and
            PAM are real; the user and the sensor are simulated. It asks nothing, leaves nothing behind, and always prints
            the same.
            """,
        options: Options(), examples: [("latchkey demo", ""), ("latchkey demo --step", "pauses before each section")],
        group: "to begin with", run: run)

    @Sendable private static func run(_ given: Given<Options>) -> String {
        let waits = given[\.step]
        if waits && isatty(STDIN_FILENO) != 1 {
            Output.fail("--step needs a terminal: run the command in one, or leave --step out", status: 1)
        }
        // From here on, a signal ends the process only after the temporary folder is removed.
        guard let signals = StopSignals.held() else {
            Output.fail("no file descriptors are left: raise the limit with ulimit -n", status: 1)
        }
        let narrator = Narrator(waits: waits, signals)
        do {
            try play(to: narrator)
        } catch Narrator.StoppedError.bySignal(let signal) {
            if waits { try? Output.put("\n") }
            Signals.end(by: signal)
            exit(1)
        } catch Narrator.StoppedError.byOutput(let error) {
            if error.isBrokenPipe { Signals.end(by: SIGPIPE) }
            Output.fail(error.description, status: 1)
        } catch {
            Output.fail("the demonstration failed: \(error)", status: 1)
        }
        return ""
    }

    private static func play(to narrator: Narrator) throws {
        do {
            let place = try DemoPlace(passcode: EnrollmentStory.passcode)
            defer { place.remove() }
            try EnrollmentStory(at: place, narrator).tell()
        }
        try narrator.end("The temporary folder is gone, with everything in it.")
    }
}
