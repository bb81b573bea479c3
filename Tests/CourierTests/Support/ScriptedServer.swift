import Foundation
import Synchronization

/// A server that answers each request by a script.
final class ScriptedServer: Sendable {
    /// Answers a request. Returns false to close the connection.
    typealias Script = @Sendable (_ client: TestSocket, _ request: String, _ number: Int) -> Bool

    private struct State {
        var accepted = 0
        var requests: [String] = []
        var clients: [TestSocket] = []
        var ended = 0
        var isOver = false
    }

    let port: UInt16
    private let listening: Int32
    private let script: Script
    /// False if the script reads the bodies of requests itself.
    private let readsBodies: Bool
    private let state = Mutex(State())

    init(readsBodies: Bool = true, _ script: @escaping Script) throws {
        (listening, port) = try TestSocket.listen()
        self.script = script
        self.readsBodies = readsBodies
        let listening = listening
        Thread.detachNewThread { [weak self] in
            while true {
                let descriptor = accept(listening, nil, nil)
                guard descriptor >= 0, let self, let client = try? TestSocket(descriptor) else { break }
                state.withLock { state in
                    state.accepted += 1
                    state.clients.append(client)
                }
                Thread.detachNewThread { self.serve(client) }
            }
            // Only this thread closes it, so that it never waits at a socket that another test has under the same number.
            close(listening)
        }
    }

    /// A server that sends the same bytes for each request, and closes the connection if `closes` is true.
    convenience init(_ answer: String, closes: Bool = false) throws {
        try self.init { client, _, _ in
            client.send(answer)
            return !closes
        }
    }

    private func serve(_ client: TestSocket) {
        while let request = readsBodies ? client.message() : client.wait(for: "\r\n\r\n") {
            let number = state.withLock { state in
                state.requests.append(request)
                return state.requests.count
            }
            guard script(client, request, number) else { break }
        }
        client.close()
        state.withLock { $0.ended += 1 }
    }

    /// The number of connections so far.
    var accepted: Int { state.withLock { $0.accepted } }
    /// The number of connections that have ended.
    var ended: Int { state.withLock { $0.ended } }
    /// The requests so far, as they came.
    var requests: [String] { state.withLock { $0.requests } }

    func end() {
        let (isFirst, clients) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.clients)
        }
        // Later, another test may have a socket under the same number.
        if isFirst { shutdown(listening, Int32(SHUT_RDWR)) }
        for client in clients { client.end() }
    }
}
