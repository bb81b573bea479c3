internal import AgentProtocol
internal import CommandLineKit
internal import Glibc
internal import LatchkeyCLI
internal import LinuxSystem
internal import PlainText
internal import Synchronization
internal import ToolProtocol

/// `latchkey lend mcp`
enum LendToolsCommand {
    static let declaration = Declaration(
        name: "mcp", summary: "serve the tools of a coding agent in the sandbox",
        text: """
            Speaks the Model Context Protocol on standard input and output, for a coding agent that `latchkey lend` runs. Its tools
            list what is lent, ask the owner for an approval ahead of uses, and wait for that. They never give out a secret. A
            client that speaks the protocol over HTTP needs no command: the variable LENT_TOOLS has the address.
            """,
        examples: [("latchkey lend site.yaml -- ./agent", "runs an agent, which starts `latchkey lend mcp`")],
        statuses: [(1, "it does not run in a sandbox of `latchkey lend`")], run: run)

    /// The most messages that are answered at once.
    private static let most = 16

    @Sendable private static func run(_ given: Given<NoOptions>) throws -> String {
        let line = try ToolLine(SystemPath.variable(RunningLoan.toolsVariable))
        let output = Mutex(())
        let places = TurnGate(most)
        var lines = MessageLines()
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            for message in lines.add(chunk[..<count]) {
                let answer = { @Sendable in
                    let answer = line.send(message)
                    output.withLock { _ in
                        if let answer { Output.write(String(decoding: answer, as: UTF8.self) + "\n") }
                    }
                }
                // A handshake counts for what comes after it. Only a tool may wait, and others are answered meanwhile.
                guard Self.callsTool(message) else {
                    answer()
                    continue
                }
                places.enter()
                let isStarted = Supervisor.detach {
                    answer()
                    places.leave()
                }
                if !isStarted { places.leave() }
            }
        }
        places.waitForAll()
        return ""
    }

    private static func callsTool(_ message: [UInt8]) -> Bool {
        let word = Array("\"tools/call\"".utf8)
        return message.indices.contains { message[$0...].starts(with: word) }
    }
}

/// Lets a number of threads in at a time.
private final class TurnGate: Sendable {
    private let most: Int
    private let places = Signal()

    init(_ most: Int) {
        self.most = most
        for _ in 0..<most { places.give() }
    }

    func enter() { places.wait() }
    func leave() { places.give() }

    /// Waits until every thread has left.
    func waitForAll() { for _ in 0..<most { places.wait() } }
}
