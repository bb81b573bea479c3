import Glibc
import LinuxSystem
import Sandbox
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Enables a test only where bubblewrap makes sandboxes, which needs user namespaces.
    static var needsUserNamespaces: Self {
        .enabled(if: SandboxRun.isPossible, "skipped: needs user namespaces")
    }
}

/// A command in a sandbox, and what it writes.
struct SandboxRun {
    static let isPossible = (try? Sandbox.requireBubblewrap()) != nil

    let sandbox: Sandbox
    private let output: Int32

    /// Makes a sandbox for a command with a standard input of nothing.
    init(_ command: [String], in work: String, change: (inout SandboxPlan) -> Void = { _ in }) throws {
        let pipe = try Pipe()
        defer { close(pipe.writing) }
        var plan = SandboxPlan(command: command, work: work)
        plan.input = .nothing
        plan.output = .descriptor(pipe.writing)
        plan.errors = .withOutput
        change(&plan)
        output = pipe.reading
        do {
            sandbox = try Sandbox(plan)
        } catch {
            close(pipe.reading)
            throw error
        }
    }

    /// Makes a sandbox for a script of the shell.
    init(script: String, in work: String, change: (inout SandboxPlan) -> Void = { _ in }) throws {
        try self.init(["sh", "-c", script], in: work, change: change)
    }

    /// Makes a sandbox for a script of Python.
    init(python: String, in work: String, change: (inout SandboxPlan) -> Void = { _ in }) throws {
        try self.init(["python3", "-c", python], in: work, change: change)
    }

    /// Starts the command, if it has not started, and waits for its end. Returns what it wrote, and its status.
    consuming func result() throws -> (text: String, status: Int32) {
        try sandbox.start()
        let text = Self.everything(from: output)
        close(output)
        return (text, sandbox.wait())
    }

    /// Returns all that can be read until the end.
    static func everything(from descriptor: Int32) -> String {
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            text += bytes[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A client inside that connects to a port, and prints the byte that it gets or the name of the error.
    static func client(_ port: UInt16) -> String {
        """
        import socket
        try: print(socket.create_connection(("127.0.0.1", \(port)), 60).recv(1).decode(), flush=True)
        except OSError as error: print(type(error).__name__, flush=True)
        """
    }
}
