import Foundation
import Glibc
import Measuring
import Synchronization

/// Measures the time from the request of a lock to its answer, while another program holds the vault's lock file and 64
/// clients are busy: 58 read, and six write and wait for the file. With the answer, the keys are gone.
func locking(_ folder: String) throws -> [Figure] {
    let vault = try HeldVault(1_000, at: folder + "/locking")
    let busy = try BusyClients(of: vault, reading: 58, writing: 6)
    defer { busy.end() }
    let control = try vault.connect()
    let times = try (0..<15).map { _ in
        try vault.unlock()
        return try vault.holdingFile {
            usleep(100_000)  // By now one writer waits for the file, and all others wait for it.
            return try nanoseconds { try control.ask("{\"do\":\"lock\"}") } / 1e6
        }
    }
    return [
        Figure(name: "lock.contended.ms", value: median(times), unit: "ms", runs: times.count),
        Figure(name: "lock.contended.slowest.ms", value: times.max() ?? 0, unit: "ms", runs: times.count),
    ]
}

extension HeldVault {
    /// Holds the vault's lock file, as another program does that changes the vault.
    fileprivate func holdingFile<Result>(_ body: () throws -> Result) throws -> Result {
        let file = open(path + "/lock", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw CannotMeasure() }
        defer { close(file) }
        while flock(file, LOCK_EX | LOCK_NB) != 0 { usleep(100) }
        return try body()
    }
}

/// Clients that send the next request as soon as they have an answer, each on its own thread.
private final class BusyClients: Sendable {
    private let isOver = Atomic(false)
    private let group = DispatchGroup()

    init(of vault: HeldVault, reading: Int, writing: Int) throws {
        for number in 0..<(reading + writing) {
            let connection = try vault.connect()
            let isReader = number < reading
            let request =
                isReader
                ? "{\"do\":\"read\",\"name\":\"\(HeldVault.name(number))\"}"
                : "{\"do\":\"add\",\"name\":\"new/\(number)\",\"policy\":{\"accessible\":\"always\",\"require\":[]},"
                    + "\"replace\":true}"
            group.enter()
            Thread.detachNewThread { [self] in
                while !isOver.load(ordering: .relaxed) {
                    do {
                        try connection.send(request, secret: isReader ? "" : "new")
                        _ = try connection.receive()
                    } catch { fatalError("\(error)") }
                }
                group.leave()
            }
        }
    }

    func end() {
        isOver.store(true, ordering: .relaxed)
        group.wait()
    }
}
