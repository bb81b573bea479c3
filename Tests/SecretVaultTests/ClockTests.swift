import AccessPolicy
import DeviceModel
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing

/// The clock of a real vault follows the machine's uptime within one start, and the wall clock across starts, and never
/// goes backwards.
@Suite struct ClockTests {
    /// A machine whose clocks the test sets.
    final class Machine: Sendable {
        private let hours = Mutex((boot: 1, uptime: Int64(5_000), wall: Int64(1_800_000_000_000)))

        var clock: VaultClock {
            VaultClock(
                boot: hours.withLock { "start \($0.boot)" }, uptime: { self.hours.withLock { $0.uptime } },
                wall: { self.hours.withLock { $0.wall } })
        }

        func run(_ milliseconds: Int64) {
            hours.withLock { hours in
                hours.uptime += milliseconds
                hours.wall += milliseconds
            }
        }

        func setWall(_ change: Int64) { hours.withLock { $0.wall += change } }

        func restart(after milliseconds: Int64) {
            hours.withLock { hours in
                hours.boot += 1
                hours.uptime = 1_000
                hours.wall += milliseconds
            }
        }
    }

    private static let hour: Int64 = 3_600_000

    private func created(_ machine: Machine, _ folder: TemporaryFolder) throws -> Vault {
        var options = VaultOptions.real()
        options.hasRecoveryKey = false
        options.clock = machine.clock
        return try Vault.create(at: folder.path("vault"), options, passcode: Cast.bytes("right")).vault
    }

    private func opened(_ machine: Machine, _ folder: TemporaryFolder) throws -> Vault {
        try Vault.open(at: folder.path("vault"), clock: machine.clock)
    }

    private func now(_ vault: Vault) throws -> Int64 { try vault.device.now.milliseconds }

    @Test func itBeginsAtTheHourOnTheWallAndGoesAsTheMachineRuns() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        let vault = try created(machine, folder)
        #expect(try now(vault) == 1_800_000_000_000)
        machine.run(1_234)
        #expect(try now(vault) == 1_800_000_001_234)
        machine.setWall(-10 * Self.hour)
        machine.run(1)
        #expect(try now(vault) == 1_800_000_001_235, "the clock on the wall has no say while the machine runs")
        machine.setWall(+99 * Self.hour)
        #expect(try now(vault) == 1_800_000_001_235)
        #expect(throws: VaultError.realVault(.clock)) { try vault.pass(.hours(1)) }
        vault.close()
    }

    @Test func withinAStartTheWallHasNoSayAcrossProgramsEither() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        try created(machine, folder).close()
        machine.setWall(50 * Self.hour)
        machine.run(7_000)
        let vault = try opened(machine, folder)
        #expect(try now(vault) == 1_800_000_007_000)
        vault.close()
    }

    @Test func acrossStartsTheWallCountsAndSetBackPassesNoTime() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        var vault = try created(machine, folder)
        machine.run(Self.hour)
        try vault.enter(passcode: Cast.bytes("right"))  // written at this hour
        vault.close()
        machine.restart(after: 2 * Self.hour)
        vault = try opened(machine, folder)
        #expect(try now(vault) == 1_800_000_000_000 + 3 * Self.hour)
        try vault.enter(passcode: Cast.bytes("right"))
        vault.close()
        machine.restart(after: -40 * Self.hour)
        vault = try opened(machine, folder)
        #expect(try now(vault) == 1_800_000_000_000 + 3 * Self.hour)
        machine.run(500)
        #expect(try now(vault) == 1_800_000_000_500 + 3 * Self.hour)
        vault.close()
    }

    @Test func aDelayEndsWhenItsTimeHasPassed() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        let vault = try created(machine, folder)
        for number in 1...5 { try vault.enter(passcode: Cast.bytes("wrong \(number)")) }
        #expect(try vault.enter(passcode: Cast.bytes("right")).refusal == .passcodeDelayed)
        machine.setWall(50 * Self.hour)
        #expect(try vault.enter(passcode: Cast.bytes("right")).refusal == .passcodeDelayed)
        vault.close()
        let again = try opened(machine, folder)
        #expect(try again.enter(passcode: Cast.bytes("right")).refusal == .passcodeDelayed)
        machine.run(59_000)
        #expect(try again.enter(passcode: Cast.bytes("right")).refusal == .passcodeDelayed)
        machine.run(1_000)
        #expect(try again.enter(passcode: Cast.bytes("right")).authenticated(.passcode))
        again.close()
    }

    @Test func itemsAreDatedByTheClockOnTheWall() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        let vault = try created(machine, folder)
        var caller = Cast.app
        caller.date = nil
        _ = try vault.add(Cast.item("x"), for: caller).value()
        machine.run(1_234)
        machine.setWall(-5_000)
        _ = try vault.update(Cast.key("x"), secret: .keep, for: caller).value()
        let stored = try #require(try vault.attributes(Cast.key("x"), for: caller).value())
        #expect(stored.created == 821_692_800, "1,800,000,000 seconds after 1970 began")
        #expect(stored.modified == 821_692_800.001, "later than before, also where the wall goes back")
        vault.close()
    }

    @Test func itemsOfASimulatedDeviceAreDatedByItsOwnClock() throws {
        let vault = try Cast.vault()
        var caller = Cast.app
        caller.date = nil
        let start = 788_918_400.0  // January 1, 2026
        _ = try vault.add(Cast.item("x"), for: caller).value()
        try vault.pass(.seconds(60))
        _ = try vault.update(Cast.key("x"), secret: .keep, for: caller).value()
        let stored = try #require(try vault.attributes(Cast.key("x"), for: caller).value())
        #expect(stored.created == start && stored.modified == start + 60)
        for _ in 0..<3 { try vault.apply(.timePassed(TimeSpan(milliseconds: .max))) }
        _ = try vault.update(Cast.key("x"), secret: .keep, for: caller).value()
        vault.close()
    }

    @Test func whatTimeEndsIsClosedWithoutAnybodyAsking() throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        let vault = try created(machine, folder)
        try vault.lock()
        machine.run(49 * Self.hour)
        #expect(try vault.device.passcodeReasons.contains(.notUnlocked))
        vault.close()
    }

    /// The former passcode lasts seven days of the vault's clock. A clock that is set back at each start stops the time
    /// between starts, so each such start counts as a day.
    @Test(arguments: [false, true])
    func aFormerPasscodeEndsThoughTheClockIsSetBack(isAtRest: Bool) throws {
        let (machine, folder) = (Machine(), try TemporaryFolder(inMemory: true))
        let first = try created(machine, folder)
        _ = try first.changePasscode(
            from: Cast.bytes("right"), to: Cast.bytes("new"), at: nil, keepingFormer: true
        ) { _ in .accepted }
        first.close()
        if isAtRest {
            machine.restart(after: 7 * 24 * Self.hour - 1)
            let vault = try opened(machine, folder)
            #expect(try vault.formerPasscodeRemains == 1)
            machine.run(1)
            #expect(try vault.formerPasscodeRemains == nil)
            vault.close()
            return
        }
        for start in 1...7 {
            machine.restart(after: -40 * Self.hour)
            let vault = try opened(machine, folder)
            let days = try vault.formerPasscodeRemains.map { ($0 + 12 * Self.hour) / (24 * Self.hour) }
            #expect(days == (start == 7 ? nil : Int64(7 - start)))
            vault.close()
            // Another program in the same start adds nothing.
            let again = try opened(machine, folder)
            #expect(try again.formerPasscodeRemains.map { ($0 + 12 * Self.hour) / (24 * Self.hour) } == days)
            again.close()
        }
    }
}
