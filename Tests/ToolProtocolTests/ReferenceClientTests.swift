import Foundation
import TestSupport
import Testing

/// The client of the Python package `mcp`, which those who write the protocol make. Set `LATCHKEY_PYTHON` to a Python that has it:
///
///     python3 -m venv /tmp/mcp && /tmp/mcp/bin/pip install mcp==2.3.0
///     LATCHKEY_PYTHON=/tmp/mcp/bin/python make test FILTER=ReferenceClientTests
@Suite(.enabled(if: ReferenceClient.isThere, "skipped: needs the Python package mcp"), .waitsForProcesses)
struct ReferenceClientTests {
    /// It finds the version, lists the tools, checks each result by its schema, and reads each refusal.
    @Test func theReferenceClientCallsEveryTool() throws {
        let run = try ReferenceClient.run()
        #expect(run.status == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map { String($0) }
        let ways = [
            ("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28"),
        ]
        var expected: [String] = []
        for transport in ["stdio", "http"] {
            for (mode, version) in ways {
                expected.append("\(transport) \(mode) \(version)")
                if mode != "2026-07-28" { expected.append("  server latchkey 1.0") }
                expected += ReferenceClient.calls
            }
        }
        expected.append("statuses POST=200 POST=202 POST=400 POST=404")
        #expect(lines == expected)
    }
}

/// The client, and what it prints in every version.
private enum ReferenceClient {
    static let python = URL(
        filePath: ProcessInfo.processInfo.environment["LATCHKEY_PYTHON"] ?? "/usr/bin/python3")
    static let isThere = (try? Command.run(["-c", "import mcp"], program: python).status) == 0

    static func run() throws -> Command.Run {
        let server = Command.built.deletingLastPathComponent().appending(path: "tool-exerciser").path
        let script = Repository.root.appending(path: "Fixtures/mcp/client.py").path
        return try Command.run(["-B", "-W", "ignore", script, server], program: python)
    }

    static let calls = [
        "  tools latchkey_list latchkey_request latchkey_status",
        #"  done latchkey_list {"services": [{"approved": true, "asks": "each-lease", "#
            + #""does": "HTTP requests to https://api.example.com, sent to $LENT_API", "name": "api", "#
            + #""rules": ["GET /v1/**"], "seconds_left": 600, "uses_left": 2}, {"approved": false, "asks": "each-use", "#
            + #""does": "git with https://github.com/alice/site.git", "name": "code", "rules": ["fetch", "push agent/*"]}, "#
            + #"{"approved": true, "asks": "never", "does": "HTTP requests to https://free.example.com", "name": "free", "#
            + #""rules": ["GET /*"]}]}"#,
        #"  done latchkey_request {"request": "request-1", "state": "waiting"}"#,
        #"  done latchkey_status {"seconds_left": 1800, "state": "approved", "uses_left": 20}"#,
        "  refused latchkey_status There is no such request here, or no longer. Call latchkey_request for a new one.",
        "  refused latchkey_request The policy of this secret asks at each use. Use the service, and the owner is asked.",
        #"  done latchkey_request {"state": "approved"}"#,
        "  refused latchkey_request This service is not lent. latchkey_list has those that are.",
        "  refused latchkey_request The argument reason is missing.",
        "  error -32602", "  error -32601", "  error -32601",
    ]
}
