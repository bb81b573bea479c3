import CFloor
import Foundation
import Measuring

/// Measures reads over one connection, one after the other, and reads over a new connection each.
func reads(_ folder: String) throws -> [Figure] {
    let items = 1_000
    let vault = try HeldVault(items, at: folder + "/reads")
    let connection = try vault.connect()
    for number in 0..<items { try readOne(number, connection) }
    let held = try (0..<20_000).map { _ in
        let number = Int.random(in: 0..<items)
        return try nanoseconds { try readOne(number, connection) } / 1e3
    }
    let fresh = try (0..<2_000).map { _ in
        let number = Int.random(in: 0..<items)
        return try nanoseconds { try readOne(number, try vault.connect()) } / 1e3
    }
    return [
        Figure(name: "agent.read.p50_us", value: median(held), unit: "µs", runs: held.count),
        Figure(name: "agent.read.p99_us", value: held.sorted()[held.count * 99 / 100], unit: "µs", runs: held.count),
        Figure(name: "agent.connect_read.p50_us", value: median(fresh), unit: "µs", runs: fresh.count),
    ]
}

/// A client in plain C. It sends the same request again and again, and expects answers of one length.
private final class PlainClient {
    private let socket: Int32
    private let request: [UInt8]
    private let answer: Int

    /// Connects to the server at `path`, which first sends `greeting` bytes.
    init(at path: String, greeting: Int, request: [UInt8], answer: Int) throws {
        socket = floor_connect(path)
        self.request = request
        self.answer = answer
        guard socket >= 0, floor_ask(socket, request, 0, greeting) == 0 else { throw CannotMeasure() }
    }

    deinit { close(socket) }

    func ask() throws {
        guard floor_ask(socket, request, request.count, answer) == 0 else { throw CannotMeasure() }
    }
}

/// Compares a read with an echo in plain C. The same client sends and receives the same numbers of bytes. All processes
/// share one processor, since otherwise the figure would be the time to wake another one.
func echo(_ folder: String) throws -> [Figure] {
    guard floor_use_one_processor() == 0 else { throw CannotMeasure() }
    defer { floor_use_all_processors() }
    let vault = try HeldVault(1_000, at: folder + "/echo")
    let connection = try vault.connect()
    let request = AgentConnection.bytes(of: AgentConnection.reading(HeldVault.name(500)))
    let answer = try connection.ask(AgentConnection.reading(HeldVault.name(500))).count
    let reader = try PlainClient(
        at: vault.socket, greeting: connection.greeting.count, request: request, answer: answer)
    let path = vault.runtime + "/echo"
    let echo = floor_echo_start(path, request.count, answer)
    guard echo > 0 else { throw CannotMeasure() }
    defer { floor_echo_wait(echo) }
    let echoer = try PlainClient(at: path, greeting: 0, request: request, answer: answer)
    var (read, echoed) = ([Double](), [Double]())
    // Alternate, so that both meet the same state of the machine.
    for _ in 0..<20 {
        for _ in 0..<1_000 { read.append(try nanoseconds { try reader.ask() } / 1e3) }
        for _ in 0..<1_000 { echoed.append(try nanoseconds { try echoer.ask() } / 1e3) }
    }
    return [
        Figure(name: "echo.p50_us", value: median(echoed), unit: "µs", runs: echoed.count),
        Figure(
            name: "agent.read.vs_echo.ratio", value: median(read) / median(echoed), unit: "times as long",
            runs: read.count),
    ]
}

/// Measures reads by several clients at once, each a thread with its own connection.
func clients(_ folder: String) throws -> [Figure] {
    let items = 1_000
    let vault = try HeldVault(items, at: folder + "/clients")
    let counts = [1, 8, 64]
    let connections = try counts.map { try (0..<$0).map { _ in try vault.connect() } }
    let (reads, runs) = (6_400, 7)
    var times = counts.map { _ in [Double]() }
    // Alternate, so that all meet the same state of the machine.
    for _ in 0..<runs {
        for (place, clients) in counts.enumerated() {
            times[place].append(
                nanoseconds {
                    together(connections[place], reads / clients) { try readOne(.random(in: 0..<items), $0) }
                })
        }
    }
    let rates = times.map { Double(reads) / median($0) * 1e9 }
    return zip(counts, rates).map { clients, rate in
        Figure(name: "agent.clients.\(clients).per_s", value: rate, unit: "/s", runs: runs)
    }
        + (1..<counts.count).map { place in
            Figure(
                name: "agent.clients.\(counts[place]).vs_\(counts[place - 1]).ratio",
                value: rates[place] / rates[place - 1],
                unit: "times as many", runs: runs)
        }
}

/// Measures the cost of many secrets: the agent's memory, and the time to list them.
func many(_ folder: String) throws -> [Figure] {
    let items = 100_000
    let vault = try HeldVault(items, at: folder + "/many")
    let connection = try vault.connect()
    let before = try vault.memory()
    let times = try (0..<3).map { _ in
        try nanoseconds {
            let answer = try connection.ask("{\"do\":\"list\"}")
            guard answer.fields["count"] as? Int == items else { throw CannotMeasure() }
        } / 1e6
    }
    for _ in 0..<10_000 { try readOne(.random(in: 0..<items), connection) }
    return [
        Figure(name: "agent.memory.unlocked.mib", value: before, unit: "MiB", runs: 1),
        Figure(name: "agent.memory.100k.mib", value: try vault.memory(), unit: "MiB", runs: 1),
        Figure(name: "agent.list.100k.ms", value: median(times), unit: "ms", runs: times.count),
    ]
}

/// Reads one secret, and throws if the agent returns another.
private func readOne(_ number: Int, _ connection: AgentConnection) throws {
    guard try connection.read(HeldVault.name(number)).elementsEqual(HeldVault.secret(number).utf8) else {
        throw CannotMeasure()
    }
}

/// Calls `body` this many times with each connection, each on its own thread.
private func together(
    _ connections: [AgentConnection], _ count: Int, _ body: @escaping @Sendable (AgentConnection) throws -> Void
) {
    let group = DispatchGroup()
    for connection in connections {
        group.enter()
        Thread.detachNewThread {
            do { for _ in 0..<count { try body(connection) } } catch { fatalError("\(error)") }
            group.leave()
        }
    }
    group.wait()
}
