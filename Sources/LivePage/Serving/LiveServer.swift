package import LinuxSystem
internal import LocalWeb

/// The mistakes in a request.
package struct LiveMistakes: Error, Sendable {
    /// One mistake a line.
    package let lines: [String]

    package init(_ lines: [String]) { self.lines = lines }
}

/// A device that requests may change.
package protocol LiveDriver: Sendable {
    /// Begins anew with the device of a scenario.
    func begin(_ head: [UInt8]) throws(LiveMistakes)
    /// Plays one step or a list of steps, and returns what came of each.
    func play(_ steps: [UInt8]) throws(LiveMistakes) -> [LiveStep]
}

/// A web server that shows a device, and drives it if it has a driver.
package final class LiveServer: Sendable {
    /// A prover of claims, which takes a request and names its mistakes.
    package typealias Prove = @Sendable ([UInt8]) throws(LiveMistakes) -> LiveProof

    private let server: LocalServer

    /// The address of the page. Anyone who knows it has access.
    package var address: String { server.address }

    /// Starts a server for the device of `hub`.
    ///
    /// - Parameters:
    ///   - driver: The device to drive; nil to show it only.
    ///   - refusal: The answer to a request that would drive a device which is only shown.
    ///   - schema: The JSON Schema of the protocol; nil to serve none.
    ///   - prove: Returns the proof of a claim; nil if this server proves none.
    /// - Throws: The system's error if there is no port or no descriptor left.
    package init(
        _ hub: LiveHub, driver: (any LiveDriver)?, refusal: String, schema: String?,
        prove: Prove? = nil
    ) throws(SystemError) {
        server = try LocalServer { request in
            Self.answer(request, hub, driver, refusal, schema, prove)
        }
    }

    package func stop() { server.stop() }

    private static func answer(
        _ request: LocalRequest, _ hub: LiveHub, _ driver: (any LiveDriver)?, _ refusal: String, _ schema: String?,
        _ prove: Prove?
    ) -> LocalReply {
        let known = LiveRequest.allCases.filter { $0.path == request.path }
        guard let asked = known.first(where: { $0.method == request.method.rawValue }) else {
            return known.isEmpty
                ? error("There is no such path: docs/live.md lists them.", 404)
                : error("Use \(known[0].method) for this path.", 405)
        }
        switch asked {
        case .page: return LocalReply(.html, LivePage.html)
        case .style: return LocalReply(.css, LivePage.style)
        case .script: return LocalReply(.javaScript, LivePage.script)
        case .state: return LocalReply(json: hub.state.json)
        case .history: return LocalReply(json: hub.history.json)
        case .events: return LocalReply(hub.subscribe())
        case .schema:
            guard let schema else { return error("This device has no schema: run `latchkey simulate --schema`.", 404) }
            return LocalReply(json: schema)
        case .prove:
            guard let prove else { return error("This device proves nothing: run `latchkey prove`.", 404) }
            do { return LocalReply(json: try prove(request.body).json) } catch {
                return Self.error(error.lines.joined(separator: "\n"), 400)
            }
        case .device, .steps:
            guard let driver else { return error(refusal, 403) }
            do {
                if case .device = asked {
                    try driver.begin(request.body)
                    return LocalReply(json: hub.history.json)
                }
                return LocalReply(json: LivePlayed(steps: try driver.play(request.body)).json)
            } catch {
                return Self.error(error.lines.joined(separator: "\n"), 400)
            }
        }
    }

    private static func error(_ what: String, _ status: UInt32) -> LocalReply {
        LocalReply(json: LiveError(error: what).json, status: status)
    }
}
