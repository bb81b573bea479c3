import Foundation
import Measuring

/// Reads over one connection, one after the other, and reads over a new connection each.
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

/// Reads by several clients at a time, each a thread with a connection of its own.
func clients(_ folder: String) throws -> [Figure] {
    let items = 1_000
    let vault = try HeldVault(items, at: folder + "/clients")
    return try [1, 8, 64].map { clients in
        let connections = try (0..<clients).map { _ in try vault.connect() }
        let each = 6_400 / clients
        let times = (0..<7).map { _ in
            nanoseconds { together(connections, each) { try readOne(.random(in: 0..<items), $0) } }
        }
        return Figure(
            name: "agent.clients.\(clients).per_s", value: Double(each * clients) / median(times) * 1e9, unit: "/s",
            runs: times.count)
    }
}

/// What many secrets cost: the agent's memory, and the time until all of them are listed.
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

/// A read that brought out something else is no read.
private func readOne(_ number: Int, _ connection: AgentConnection) throws {
    guard try connection.read(HeldVault.name(number)).elementsEqual(HeldVault.secret(number).utf8) else {
        throw CannotMeasure()
    }
}

/// Does `body` so many times with each connection, on a thread for each.
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
