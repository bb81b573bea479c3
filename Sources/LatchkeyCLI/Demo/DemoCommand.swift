internal import CommandLineKit
internal import Glibc
internal import LinuxSystem

/// `latchkey demo`
enum DemoCommand {
    struct Options: OptionList {
        let step = Option("--step", says: "wait for Return before each section; needs a terminal")
    }

    static let declaration = Declaration(
        name: "demo", summary: "show what a new finger does to a secret, on a vault in a temporary folder",
        text: """
            Shows on the real parts what a policy is that is compiled into encryption: creates a vault in a temporary
            folder behind a PAM service of its own, enrolls a finger, stores a secret for the fingers that are enrolled now,
            reads it, enrolls another finger, and shows that the secret cannot be read any more and that the key to it is
            gone. The people are played and the sensor is a fake one; nothing is asked, and nothing is left behind. The
            same bytes every time.
            """,
        options: Options(),
        group: "to begin with", run: run)

    @Sendable private static func run(_ given: Given<Options>) -> String {
        let waits = given[\.step]
        if waits && isatty(STDIN_FILENO) != 1 {
            Output.fail("--step needs a terminal to wait at: run it in one, or leave the option away", status: 1)
        }
        // Nothing ends the process between here and the end of the demonstration: its folder goes first.
        guard let signals = StopSignals.held() else {
            Output.fail("no descriptors are left: close some, or raise the limit with ulimit -n", status: 1)
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
            Output.fail("the demonstration came to an end: \(error)", status: 1)
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

/// Why there is nothing to see.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
