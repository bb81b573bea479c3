import Foundation
import Synchronization
import SystemServices
import TestSupport
import Testing

/// The calls of a watch, in order.
private final class Told: Sendable {
    private let reasons = Mutex<[SleepWatch.Reason]>([])

    var all: [SleepWatch.Reason] { reasons.withLock { $0 } }

    func add(_ reason: SleepWatch.Reason) { reasons.withLock { $0.append(reason) } }
}

/// A value that becomes known after the closure that needs it.
private final class Later<Value: Sendable>: Sendable {
    private let held = Mutex<Value?>(nil)

    var value: Value? {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}

@Suite(.enabled(if: MockLogind.isPossible)) struct SleepWatchTests {
    private let quick = BackOff(first: 20, longest: 40)
    private let held = #"a(ssssuu) 1 "sleep" "latchkey" "the keys are wiped" "delay""#
    private let free = "a(ssssuu) 0"

    private func watching(_ watch: SleepWatch) throws {
        try wait(for: "logind to be watched") { watch.trouble == nil }
    }

    private func place() throws -> MockLogind {
        let logind = try MockLogind()
        try logind.startBus()
        try logind.startLogind()
        return logind
    }

    @Test func theMachineWaitsForTheClosureAndAgainAfterItWoke() throws {
        let logind = try place()
        let during = Later<String>()
        let watch = SleepWatch(address: logind.address, backOff: quick) { _ in
            during.value = try? logind.inhibitors()
        }
        defer { watch.stop() }
        for _ in 1...3 {
            during.value = nil
            try wait(for: "the machine to be held back") { try logind.inhibitors().hasPrefix(held) }
            try watching(watch)
            try logind.announceSleep(true)
            try wait(for: "the machine to be let go") { try logind.inhibitors().hasPrefix(free) }
            #expect(during.value?.hasPrefix(held) == true, "it was held back while the closure ran")
            try logind.announceSleep(false)
        }
        try wait(for: "the machine to be held back") { try logind.inhibitors().hasPrefix(held) }
        watch.stop()
        try wait(for: "the machine to be let go") { try logind.inhibitors().hasPrefix(free) }
        #expect(watch.trouble == "sleep is no longer watched")
    }

    @Test func whereItCannotBeWaitedForItSaysSoAndHearsOfSleepAllTheSame() throws {
        let logind = try place()
        try logind.refuse(with: "org.freedesktop.DBus.Error.AccessDenied")
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try wait(for: "trouble") {
            watch.trouble?.hasPrefix("logind does not delay sleep for Latchkey (not now)") == true
        }
        try logind.announceSleep(true)
        try wait(for: "sleep") { told.all == [.sleep] }
    }

    @Test func aSleepThatIsAlreadyBeginningIsToldAtOnce() throws {
        let logind = try place()
        try logind.refuse(with: "org.freedesktop.login1.OperationInProgress")
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try wait(for: "sleep") { told.all == [.sleep] }
    }

    @Test func withoutAnAddressItIsTheBusOfTheSystem() throws {
        let logind = try place()
        let output = Pipe()
        let watcher = Process()
        watcher.executableURL = URL(filePath: Installation.built("service-exerciser"))
        watcher.arguments = ["watch"]
        watcher.environment = ["DBUS_SYSTEM_BUS_ADDRESS": logind.address]
        watcher.standardInput = FileHandle.nullDevice
        watcher.standardOutput = output
        try watcher.run()
        defer {
            kill(watcher.processIdentifier, SIGKILL)
            watcher.waitUntilExit()
        }
        try wait(for: "the machine to be held back") { try logind.inhibitors().hasPrefix(held) }
        try logind.announceSleep(true)
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: said, as: UTF8.self) == "sleep\n")
    }

    @Test func wakingUpWithoutHavingSleptTakesNoSecondHold() throws {
        let logind = try place()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try watching(watch)
        try logind.announceSleep(false)
        try logind.announceSleep(true)
        try wait(for: "sleep") { told.all == [.sleep] }
        try wait(for: "the machine to be let go") { try logind.inhibitors().hasPrefix(free) }
    }

    @Test func aLockOfThisUsersSessionsIsToldAndOfNobodyElses() throws {
        let logind = try place()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try logind.addSession("c1", of: getuid())
        try logind.addSession("c2", of: getuid() + 1)
        try logind.addNamelessSession("c3")
        try watching(watch)
        // Signals are handled in order: when the sleep has arrived, so has everything before it.
        try logind.lock("c2")
        try logind.announceSleep(true)
        try wait(for: "sleep") { told.all == [.sleep] }
        try logind.lock("c1")
        try wait(for: "a lock") { told.all == [.sleep, .lock] }
        try logind.lock("c3")
        try wait(for: "a lock of a session that might be ours") { told.all == [.sleep, .lock, .lock] }
    }

    @Test func whatOthersSayInLogindsWordsIsNotBelieved() throws {
        let logind = try place()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try watching(watch)
        try logind.forgeSleep()
        try logind.addSession("c1", of: getuid())
        try logind.lock("c1")
        try wait(for: "a lock") { !told.all.isEmpty }
        #expect(told.all == [.lock])
        #expect(try logind.inhibitors().hasPrefix(held))
    }

    @Test func withoutABusItSaysSoAndWatchesAsSoonAsThereIsOne() throws {
        let logind = try MockLogind()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try wait(for: "trouble") {
            watch.trouble == """
                the system bus cannot be watched (No such file or directory): keys stay in memory when the machine \
                sleeps or the screen is locked
                """
        }
        try logind.startBus()
        try wait(for: "another trouble") {
            watch.trouble?.hasPrefix("there is no logind on the system bus: keys stay in memory") == true
        }
        try logind.startLogind()
        try watching(watch)
        try wait(for: "the machine to be held back") { try logind.inhibitors().hasPrefix(held) }
        #expect(told.all == [])
    }

    @Test func aLogindThatLeavesIsMissedAndTheNextOneIsWatched() throws {
        let logind = try place()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        try watching(watch)
        logind.killLogind()
        try wait(for: "trouble") { watch.trouble?.hasPrefix("logind has left the system bus") == true }
        try logind.startLogind()
        try watching(watch)
        try logind.announceSleep(true)
        try wait(for: "sleep") { told.all == [.sleep] }
    }

    @Test func aBusThatGoesAwayIsLookedForUntilItIsBack() throws {
        let logind = try place()
        let told = Told()
        let watch = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        defer { watch.stop() }
        for round in 1...2 {
            try watching(watch)
            logind.killLogind()
            logind.killBus()
            try wait(for: "trouble") { watch.trouble?.hasPrefix("the system bus cannot be watched") == true }
            try logind.startBus()
            try logind.startLogind()
            try watching(watch)
            try logind.announceSleep(true)
            try wait(for: "sleep") { told.all.count == round }
        }
    }

    @Test func itIsStoppedByItsOwnClosureByLettingGoAndWhereNothingEverWas() throws {
        let logind = try place()
        let own = Later<SleepWatch>()
        let told = Told()
        own.value = SleepWatch(address: logind.address, backOff: quick) {
            told.add($0)
            own.value?.stop()
        }
        try wait(for: "logind to be watched") { own.value?.trouble == nil }
        try logind.announceSleep(true)
        try wait(for: "its end") { told.all == [.sleep] && own.value?.trouble == "sleep is no longer watched" }
        own.value = nil

        var dropped: SleepWatch? = SleepWatch(address: logind.address, backOff: quick) { told.add($0) }
        try wait(for: "logind to be watched") { dropped?.trouble == nil }
        dropped = nil
        try wait(for: "the machine to be let go") { try logind.inhibitors().hasPrefix(free) }
        try logind.announceSleep(true)
        #expect(told.all == [.sleep])

        // This happens in the middle of a pause of a minute.
        let alone = SleepWatch(address: "unix:path=/nowhere/at/all", backOff: BackOff(first: 60_000)) { _ in }
        try wait(for: "trouble") { alone.trouble?.hasPrefix("the system bus cannot be watched") == true }
        let began = ContinuousClock.now
        alone.stop()
        alone.stop()
        #expect(ContinuousClock.now - began < .seconds(50))
    }
}

@Suite struct BackOffTests {
    @Test func itWaitsTwiceAsLongEachTimeUpToAMinute() {
        var backOff = BackOff()
        #expect((1...8).map { _ in backOff.next() } == [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
        backOff.reset()
        #expect((1...2).map { _ in backOff.next() } == [1000, 2000])
    }
}
