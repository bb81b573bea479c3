import Synchronization
import SystemServices
import TestSupport
import Testing

@Suite(.enabled(if: PrivateBus.isPossible, "skipped: needs dbus-daemon"), .waitsForProcesses)
struct BusServiceTests {
    private static let name = "com.example.Latchkey"

    /// Answers a call when the next letter comes, with the signature of the arguments that it still has then.
    private final class Late: BusHandler {
        let link: BusLink
        var calls: [BusCall] = []

        init(_ link: BusLink) { self.link = link }

        func handle(_ call: BusCall) { calls.append(call) }
        func forget(_ caller: BusCaller) {}
        func pause() {}
        func end() {}

        func answer() {
            for call in calls {
                link.reply(to: call) { (writer) throws(BusError) in try writer.append(.text(call.message.signature)) }
            }
            calls = []
        }
    }

    @Test func aCallThatWaitsIsAnsweredButKeepsNoArguments() throws {
        let bus = try PrivateBus()
        let service = BusService(BusService.Settings(address: bus.address, names: [Self.name])) { Late($0) }
        service.start()
        defer { service.stop() }
        #expect(Patience.wait { service.state == .serving })
        let isDone = Mutex(false)
        let answer = Background {
            defer { isDone.withLock { $0 = true } }
            guard let client = try? SystemBus(address: bus.address) else { return String?.none }
            let call = SystemBus.Call(
                destination: Self.name, path: "/", interface: "com.example.Sample", method: "Take",
                arguments: [String(repeating: "x", count: 1 << 20)])
            return try? client.reply(to: call, until: .now + .seconds(Patience.seconds)).readText()
        }
        #expect(
            Patience.wait {
                service.post { ($0 as? Late)?.answer() }
                return isDone.withLock { $0 }
            })
        #expect(try answer.value == "")
    }

    @Test func aJobWithoutAConnectionIsDropped() throws {
        final class Canary: Sendable {}
        let service = BusService(BusService.Settings(address: "unix:path=/nonexistent/bus", names: [Self.name])) {
            Late($0)
        }
        weak var before: Canary?
        weak var after: Canary?
        func post() -> Canary {
            let canary = Canary()
            service.post { _ in withExtendedLifetime(canary) {} }
            return canary
        }
        before = post()
        service.start()
        defer { service.stop() }
        #expect(
            Patience.wait {
                if case .failed = service.state { true } else { false }
            })
        after = post()
        #expect(before == nil && after == nil)
    }
}
