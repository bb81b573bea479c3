internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import LivePage
internal import PlainText
internal import PolicyScenarios
internal import ScenarioFormat

/// `latchkey simulate`
enum SimulateCommand {
    struct Options: OptionList {
        let serve = Option("--serve", says: "serve a page that shows the device, until you press Ctrl-C")
        let drive = Option("--drive", says: "let the page and programs change the device; needs --serve")
        let schema = Option("--schema", says: "print the JSON Schema of the protocol, and serve nothing")
    }

    static let declaration = Declaration(
        name: "simulate", summary: "show a simulated device on a web page, and let programs drive it",
        text: """
            Creates the simulated device of the first scenario in FILE, plays its steps, and serves a page that shows the device:
            locks, fingers, keys, items, decisions and the audit log. Without FILE, it takes a small example.

            Prints the address of the page. Only programs on this machine can reach it, and only if they know the address. It
            stays in use until you press Ctrl-C. The page only shows, unless you give --drive. docs/live.md describes the
            protocol.
            """,
        operands: [
            Operand(name: "FILE", values: .file, isOptional: true, ifMore: "name only one scenario file")
        ],
        options: Options(),
        examples: [
            ("latchkey simulate token.yaml --serve", "shows what happens in a scenario"),
            ("latchkey simulate --serve --drive", "gives you a device to try things on"),
        ],
        statuses: [
            (0, "you ended the command"), (1, "the device cannot be served"),
            (2, "the file or the command line was not understood"),
        ],
        group: "policies", run: run)

    @Sendable private static func run(_ given: Given<Options>) throws(UsageError) -> String {
        if given[\.schema] {
            if given[\.serve] || given[\.drive] { throw UsageError("--schema does not go with --serve and --drive") }
            return LiveProtocol.schema
        }
        guard given[\.serve] else {
            throw UsageError("simulate needs --serve, which serves a page; or --schema")
        }
        let scenario = read(given.words.first)
        // From here on, a signal ends the command only after the server has stopped.
        guard let signals = StopSignals.held(), let never = try? Pipe() else {
            Output.fail("no file descriptors are left: raise the limit with ulimit -n", status: 1)
        }
        defer {
            never.close()
            TemporaryPlace.removeAll()
        }
        let player: LivePlayer
        do throws(LiveMistakes) { player = try LivePlayer(scenario, drives: given[\.drive]) } catch {
            for line in error.lines { Output.write(Terminal.line(line) + "\n", isError: true) }
            exit(2)
        }
        let server: LiveServer
        do throws(SystemError) {
            server = try LiveServer(
                player.hub, driver: given[\.drive] ? player : nil, refusal: refusal(given.words.first),
                schema: LiveProtocol.schema, prove: LiveProver.prove)
        } catch {
            Output.fail("the page cannot be served: \(error)", status: 1)
        }
        Output.write(server.address + "\n")
        Output.confirm(
            "Open this address in a browser. "
                + (given[\.drive]
                    ? "The page drives the device." : "The page only shows; add --drive to change the device.")
                + " Press Ctrl-C to stop.")
        signals.wait(for: never.reading)
        server.stop()
        return ""
    }

    private static func refusal(_ file: String?) -> String {
        let words = ["latchkey simulate", file.map { Terminal.word($0) }, "--serve --drive"].compactMap { $0 }
        return "This page only shows the device. To change it, run: " + words.joined(separator: " ")
    }

    /// Returns the scenario of the file at `path`, or the example. Ends the command if it has mistakes.
    private static func read(_ path: String?) -> OpenScenario {
        do {
            guard let path else {
                return try OpenScenario(bytes: Array(LiveProtocol.example.utf8), of: "example", isOfRequest: false)
            }
            return try OpenScenario(path)
        } catch let error as ScenarioMistakes {
            exit(Complaints.tell(error.all))
        } catch {
            Output.complain("\(error)")
            exit(2)
        }
    }
}
