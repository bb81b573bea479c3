import Foundation
import LatchkeyTesting
import LivePage
import LocalWeb
import Synchronization
import TestSupport
import Testing

/// The requests of the live protocol, as anyone on this machine can send them who knows the address.
@Suite(.waitsForProcesses) struct LiveServerTests {
    /// A device that notes what it is asked for, and knows one mistake.
    private final class Driver: LiveDriver {
        let bodies = Mutex<[[UInt8]]>([])

        func begin(_ head: [UInt8]) throws(LiveMistakes) { try note(head) }

        func play(_ steps: [UInt8]) throws(LiveMistakes) -> [LiveStep] {
            try note(steps)
            return [LiveStep(words: "a step", outcome: "\u{2028}</script>\"\\", succeeded: true)]
        }

        private func note(_ body: [UInt8]) throws(LiveMistakes) {
            bodies.withLock { $0.append(body) }
            if body.first != UInt8(ascii: "{") { throw LiveMistakes(["1: \"no\" object", "2: </script>"]) }
        }
    }

    private static func hub(_ title: String = "a device") throws -> LiveHub {
        // A device closes its vault at its end, so it lives until its state is read.
        let state = try withExtendedLifetime(SimulatedDevice()) { device in
            try LiveState(device.keychain, holder: nil, people: [], items: [], files: [])
        }
        return LiveHub(LiveHistory(title: title, drives: true, beginning: state))
    }

    private func status(_ answer: String) -> Int? { answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

    /// Returns the body of an answer as JSON.
    private func object(_ answer: String) throws -> [String: Any] {
        let body = try #require(answer.components(separatedBy: "\r\n\r\n").dropFirst().first)
        return try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }

    /// Sends a request with this method and body, and returns the answer.
    private func send(_ method: String, _ path: String, _ body: String? = nil, to server: LiveServer) throws -> String {
        let address = try #require(URL(string: server.address))
        let port = UInt16(try #require(address.port))
        let client = try LoopbackClient(port: port)
        let length = body.map { "Content-Type: application/json\r\nContent-Length: \($0.utf8.count)\r\n" } ?? ""
        client.send(
            "\(method) \(address.path)/\(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(length)\r\n\(body ?? "")")
        return client.rest()
    }

    @Test func aDeviceThatIsOnlyShownCannotBeDriven() throws {
        let hub = try Self.hub()
        let server = try LiveServer(hub, driver: nil, refusal: "only \"shown\"", schema: nil)
        defer { server.stop() }
        for request in LiveRequest.allCases where request != .events {
            let answer = try send(request.method, request.path, request.method == "POST" ? "{}" : nil, to: server)
            let expected: Int =
                switch request {
                case .page, .style, .script, .state, .history, .events: 200
                case .device, .steps: 403
                case .schema, .prove: 404
                }
            #expect(status(answer) == expected, "\(request) \(answer.prefix(200))")
            if request.drives { #expect(try object(answer)["error"] as? String == "only \"shown\"") }
        }
        #expect(hub.history.steps.isEmpty)
    }

    @Test func eachPathHasOneMethodAndOthersAreNone() throws {
        let server = try LiveServer(Self.hub(), driver: Driver(), refusal: "", schema: "{}")
        defer { server.stop() }
        for request in LiveRequest.allCases {
            let other = request.method == "GET" ? "POST" : "GET"
            let answer = try send(other, request.path, other == "POST" ? "{}" : nil, to: server)
            #expect(status(answer) == 405, "\(request) \(answer.prefix(200))")
        }
        for path in ["states", "state/", "../state", "STATE", "%73tate", "state%00", "live.css/x", "device/steps"] {
            let answer = try send("GET", path, to: server)
            #expect([400, 404].contains(status(answer)), "\(path) \(answer.prefix(100))")
        }
    }

    @Test func anyBodyReachesTheDriverAsItIsAndItsMistakesAreText() throws {
        let driver = Driver()
        let server = try LiveServer(Self.hub(), driver: driver, refusal: "", schema: nil)
        defer { server.stop() }
        let bodies = [
            "", "[]", "{", "\u{0}", String(repeating: "[", count: 10_000), "{}", "{\"a\":\"\u{2028}</script>\"}",
            "null",
        ]
        for body in bodies {
            for request in [LiveRequest.steps, .device] {
                let answer = try send(request.method, request.path, body, to: server)
                let object = try object(answer)
                if body.hasPrefix("{") {
                    #expect(status(answer) == 200)
                    #expect((object["steps"] as? [Any])?.count == (request == .steps ? 1 : 0))
                } else {
                    #expect(status(answer) == 400)
                    #expect(object["error"] as? String == "1: \"no\" object\n2: </script>")
                }
            }
        }
        #expect(driver.bodies.withLock { $0 } == bodies.flatMap { [Array($0.utf8), Array($0.utf8)] })
    }

    @Test func aProofIsAskedForWithAnyBody() throws {
        let server = try LiveServer(Self.hub(), driver: nil, refusal: "", schema: nil) { body throws(LiveMistakes) in
            if body != Array("{}".utf8) { throw LiveMistakes(["\(body.count) bytes"]) }
            return LiveProof([:])
        }
        defer { server.stop() }
        #expect(try status(send("POST", "prove", "{}", to: server)) == 200)
        let wrong = try send("POST", "prove", "{\u{FF}", to: server)
        #expect(try status(wrong) == 400 && object(wrong)["error"] as? String == "3 bytes")
    }

    /// A history never grows without end, and says how many steps it has dropped.
    @Test func aHistoryKeepsTheLastSteps() throws {
        let hub = try Self.hub()
        for number in 1...700 {
            var step = LiveStep(words: "step \(number)", outcome: "happened", succeeded: true)
            step.number = number
            hub.add(step)
        }
        #expect(hub.history.steps.count == 500 && hub.history.dropped == 200)
        #expect(hub.history.steps.first?.number == 201 && hub.history.steps.last?.number == 700)
    }

    /// Names of devices and items come from files of others. None of them ends the element that holds the history.
    @Test func noNameEndsTheElementOfAPage() throws {
        let names = [
            "</script><script>alert(1)</script>", "<!--", "\u{2028}\u{2029}", "\"\\\u{0}\u{1F}", "</SCRIPT >",
            "&lt;/script&gt;",
        ]
        for name in names {
            let hub = try Self.hub(name)
            hub.add(LiveStep(words: name, outcome: name, succeeded: false))
            let page = LivePage.file(hub.history)
            let start = "<script type=\"application/json\" id=\"embedded\">"
            let rest = try #require(page.components(separatedBy: start).dropFirst().first)
            let embedded = try #require(rest.components(separatedBy: "</script>").first)
            #expect(!embedded.contains("<") && !embedded.contains("\u{2028}"))
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(embedded.utf8)) as? [String: Any], "\(name)")
            #expect(object["title"] as? String == name)
            #expect(((object["steps"] as? [[String: Any]])?.first?["words"] as? String) == name)
        }
    }
}
