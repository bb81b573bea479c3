import AccessPolicy
import DeviceModel
import Foundation
import Measuring
import SecretVault
import SodiumKit

/// Measures reading a log of a million records: the last five, over a new connection each time, and all of it.
func log(_ folder: String) throws -> [Figure] {
    let records = 1_000_000
    let vault = try HeldVault(HeldVault.logged, records: records, at: folder + "/log")
    func ask(_ request: String) throws {
        let answer = try vault.connect().ask(request)
        guard answer.fields["last"] as? Int ?? 0 > records else { throw CannotMeasure() }
    }
    let times = try (0..<41).map { _ in
        try nanoseconds { try ask("{\"do\":\"log\",\"latest\":5}") } / 1e6
    }
    let before = try vault.memory()
    let all = try nanoseconds { try ask("{\"do\":\"log\"}") }
    return [
        Figure(name: "log.last5.million.ms", value: median(times), unit: "ms", runs: times.count),
        Figure(name: "log.all.million.s", value: all / 1e9, unit: "s", runs: 1),
        Figure(name: "log.all.million.grown_mib", value: try vault.memory() - before, unit: "MiB", runs: 1),
    ]
}

extension HeldVault {
    /// The number of items that each program reads.
    static let logged = 1_000

    /// Fills the log of a vault. Each record is about another item or another program, because repetitions share a
    /// record.
    static func fillLog(of path: String, _ count: Int) throws {
        let vault = try Vault.open(at: path)
        defer { vault.close() }
        try vault.setAudit(limit: 1 << 30, for: Caller("bench", groups: [group]))
        try vault.enter(passcode: SecureBytes(passcode))
        let items = (0..<logged).map { ItemReference.key(description($0).primaryKey) }
        for number in 0..<count {
            let program = number / logged
            let caller = Caller("uid 0 pid \(program) /usr/bin/bench-\(program)", groups: [group], interaction: .fail)
            guard try vault.read(items[number % logged], for: caller, in: nil).isGranted else { throw CannotMeasure() }
        }
    }
}
