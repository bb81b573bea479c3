import AccessPolicy
import DeviceModel
import Foundation
import Latchkey
import SecretVault
import SodiumKit
import Synchronization
import TestSupport
import Testing
import UserPresence

/// Tests of events during a prompt.
@Suite struct SheetTests {
    /// The events that end every prompt.
    enum Interruption: CaseIterable {
        case lock, reboot, remoteLock, emergency, erase, removedPasscode, changedPasscode

        func happen(to keychain: Keychain) throws {
            switch self {
            case .lock: try keychain.lock()
            case .reboot: try keychain.simulate(.reboot)
            case .remoteLock: try keychain.simulate(.remoteLock)
            case .emergency: try keychain.simulate(.emergency)
            case .erase: try keychain.simulate(.erase)
            case .removedPasscode: try keychain.removePasscode(SecureBytes("1234"))
            case .changedPasscode: try keychain.changePasscode(from: SecureBytes("1234"), to: SecureBytes("5678"))
            }
        }

        var locks: Bool {
            switch self {
            case .lock, .reboot, .remoteLock, .emergency: true
            case .erase, .removedPasscode, .changedPasscode: false
            }
        }
    }

    private func keychain(patience seconds: Int = 30) throws -> Keychain {
        var patience = Keychain.Patience()
        patience.user = seconds
        let keychain = try Keychain.simulated(patience: patience)
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        try keychain.keep("bound", as: "bound", Cast.control(.biometryCurrentSet))
        try keychain.keep("typed", as: "typed", Cast.control(.devicePasscode))
        return keychain
    }

    // MARK: - Events of the device

    @Test(arguments: Interruption.allCases, ["any", "typed"])
    func anAnswerThatComesTooLateCountsForNothing(_ interruption: Interruption, _ account: String) throws {
        let keychain = try keychain()
        let context = try keychain.makeContext()
        keychain.answered { keychain, _ in
            try interruption.happen(to: keychain)
            return account == "any" ? .touch(showing: "right index") : .typed(try SecureBytes("1234"))
        }
        #expect(try keychain.reading(account, in: context) == "sheet.system-cancelled")
        let evidence = try context.evidence
        #expect(evidence[.biometry] == nil && evidence[.passcode] == nil)
        let device = try keychain.device
        #expect(device.isLocked == interruption.locks)
        #expect(device.wrongPasscodes.isEmpty && device.failedMatches == 0)
    }

    @Test(arguments: Interruption.allCases) func nobodyWaitsForAHolderWhoIgnoresTheEnd(_ interruption: Interruption)
        throws
    {
        let keychain = try keychain()
        let (isAsked, mayEnd) = (Signal(), Signal())
        keychain.user = ClosureUser { _ in
            isAsked.give()
            mayEnd.wait()
            return .touch(showing: "right index")
        }
        let reading = Background { try keychain.reading("any") }
        try #require(isAsked.wait())
        try interruption.happen(to: keychain)
        let waited = try seconds { () throws in #expect(try reading.value() == "sheet.system-cancelled") }
        #expect(waited < 15, "half a second, and what a busy machine adds")
        mayEnd.give()
    }

    @Test func aPromptThatIsEndedIsLeftAtOnceByAHolderWhoLooks() throws {
        // A user is left behind after half a second, each time, on any machine.
        let isLeftAtOnce = try (0..<20).contains { _ in
            let keychain = try keychain()
            let isAsked = Signal()
            keychain.user = ClosureUser { prompt in
                isAsked.give()
                var waiting = pollfd(fd: prompt.wake, events: Int16(POLLIN), revents: 0)
                poll(&waiting, 1, 180_000)
                return .cancel
            }
            let reading = Background { try keychain.reading("any") }
            try #require(isAsked.wait())
            try keychain.lock()
            return try seconds { () throws in #expect(try reading.value() == "sheet.system-cancelled") } < 0.4
        }
        #expect(isLeftAtOnce)
    }

    @Test func aSheetThatComesUpOnALockedDeviceIsNotShown() throws {
        // The first passcode is wrong, and the device is locked between the two prompts.
        let locked = Mutex<Keychain?>(nil)
        let authenticator = ScriptedAuthenticator { _ in
            _ = try? locked.withLock { $0 }?.lock()
            return .wrong
        }
        let asked = Mutex(0)
        let user = ClosureUser { _ in
            asked.withLock { $0 += 1 }
            return (try? .typed(SecureBytes("4321"))) ?? .cancel
        }
        let keychain = try Keychain.simulated(authenticator: authenticator, sensor: ScriptedSensor(), user: user)
        locked.withLock { $0 = keychain }
        defer { locked.withLock { $0 = nil } }
        try keychain.keep("typed", as: "typed", Cast.control(.devicePasscode))
        #expect(try keychain.reading("typed") == "sheet.system-cancelled")
        #expect(asked.withLock { $0 } == 1)
        #expect(try keychain.device.wrongPasscodes.count == 1, "it was judged all the same")
    }

    @Test func aLockWhileAMatchIsTakenInEndsTheSheet() throws {
        let keychain = try keychain()
        let asked = Mutex(0)
        keychain.answered { keychain, prompt in
            asked.withLock { $0 += 1 }
            prompt.whenOver { [weak keychain] in _ = try? keychain?.lock() }
            return .touch(showing: "somebody else")
        }
        let rule = try keychain.reading("any")
        #expect(rule == "sheet.system-cancelled")
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func anotherFingerUnderTheSheetIsAnotherSet() throws {
        let keychain = try keychain()
        keychain.answered { keychain, prompt in
            if try keychain.enrolledNames.count == 1 { try keychain.enroll("left thumb") }
            return .touch(showing: "right index")
        }
        #expect(try keychain.reading("bound") == "biometry.current-set.changed")
        try keychain.removeEnrolled("left thumb")
        #expect(try keychain.reading("any") == "any")
        #expect(try keychain.enrolledNames.sorted() == ["left thumb", "right index"])
    }

    @Test func aFingerRemovedUnderTheSheetIsNobodys() throws {
        let keychain = try keychain()
        try keychain.enroll("left thumb")
        keychain.answered { keychain, prompt in
            if try keychain.enrolledNames.count == 2 { try keychain.removeEnrolled("left thumb") }
            return .touch(showing: "left thumb")
        }
        #expect(try keychain.reading("any") == "sheet.failed")
        #expect(try keychain.device.failedMatches == 3)
    }

    @Test func everybodyForgottenUnderTheSheet() throws {
        let keychain = try keychain()
        keychain.answered { keychain, prompt in
            try keychain.resetSensor()
            return .touch(showing: "right index")
        }
        let rule = try keychain.reading("any")
        #expect(["biometry.no-hardware", "sheet.failed", "biometry.sensor.changed"].contains(rule), "\(rule)")
        #expect(try keychain.reading("any") != "any")
    }

    @Test func aPasscodeChangedElsewhereUnderTheSheet() throws {
        let keychain = try keychain()
        let isAsked = Signal()
        let isChanged = Signal()
        keychain.user = ClosureUser { prompt in
            isAsked.give()
            isChanged.wait()
            return (try? .typed(SecureBytes("1234"))) ?? .cancel
        }
        let reading = Background { try keychain.reading("typed") }
        try #require(isAsked.wait())
        try keychain.changePasscode(from: SecureBytes("1234"), to: SecureBytes("5678"))
        isChanged.give()
        #expect(try reading.value() == "sheet.system-cancelled")
        #expect(try keychain.device.wrongPasscodes.isEmpty, "what was right when it was asked for is no wrong one")
        #expect(try keychain.unlock(passcode: SecureBytes("5678")).authenticated(.passcode))
    }

    // MARK: - Contexts

    @Test func aContextThatIsEndedTakesItsSheetAway() throws {
        let keychain = try keychain()
        let context = try keychain.makeContext()
        keychain.answered { keychain, _ in
            try context.invalidate()
            return .touch(showing: "right index")
        }
        #expect(try keychain.reading("any", in: context) == "sheet.app-cancelled")
        #expect(try context.evidence[.biometry] == nil)
        #expect(try keychain.reading("any", in: context) == "context.invalidated")
        keychain.user = Cast.owner
        #expect(try keychain.reading("any") == "any")
    }

    @Test func aContextThatIsEndedLeavesTheOthersSheetsAlone() throws {
        let keychain = try keychain()
        let (mine, other) = (try keychain.makeContext(), try keychain.makeContext())
        keychain.answered { _, _ in
            try other.invalidate()
            return .touch(showing: "right index")
        }
        #expect(try keychain.reading("any", in: mine) == "any")
    }

    // MARK: - Permission

    @Test func aQuestionForPermissionThatIsTakenAwayIsNotAnswered() throws {
        let keychain = try Keychain.simulated(DeviceSettings(sensor: .faceID))
        try keychain.simulate(.appInstalled(.first, App(permission: .notAsked)))
        try keychain.keep("any", as: "any", Cast.control(.biometryAny))
        let wasAsked = Mutex(0)
        for answer in [true, false] {
            keychain.answered { keychain, prompt in
                #expect(prompt.content.kind == .permission)
                wasAsked.withLock { $0 += 1 }
                try keychain.lock()
                return answer ? .confirm : .cancel
            }
            #expect(try keychain.reading("any") == "sheet.system-cancelled")
            #expect(try keychain.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
        }
        #expect(wasAsked.withLock { $0 } == 2, "neither given nor denied: it is asked again")
        keychain.user = Cast.owner
        #expect(try keychain.reading("any") == "any")
    }

    // MARK: - Misbehaving users

    @Test func aHolderWhoNeverAnswersIsLeftBehindAndOnlySoOften() throws {
        let keychain = try keychain(patience: 1)
        let mayEnd = Signal()
        let asked = Mutex(0)
        keychain.user = ClosureUser { _ in
            asked.withLock { $0 += 1 }
            mayEnd.wait(600)
            return .touch(showing: "right index")
        }
        let waited = try seconds { () throws in #expect(try keychain.reading("any") == "sheet.system-cancelled") }
        #expect((0.9..<40).contains(waited))
        let readings = (0..<100).map { _ in Background { try keychain.reading("any") } }
        let together = try seconds { () throws in
            for reading in readings { #expect(try reading.value() == "sheet.system-cancelled") }
        }
        #expect(together < 50)
        #expect(asked.withLock { $0 } == 64)
        #expect(try keychain.reading("any") == "sheet.system-cancelled")
        #expect(asked.withLock { $0 } == 64, "where all places are taken nobody is asked any more")
        mayEnd.give()
        let end = Patience.end
        keychain.user = ClosureUser { _ in .touch(showing: "right index") }
        while try keychain.reading("any") != "any", Date() < end { usleep(20_000) }
        #expect(try keychain.reading("any") == "any", "who comes back makes room")
    }

    @Test(arguments: ["any", "typed"]) func aWrongKindOfAnswerIsNone(_ account: String) throws {
        let keychain = try keychain()
        keychain.user = ClosureUser(atOnce: true) { _ in .confirm }
        #expect(try keychain.reading(account) == "sheet.failed")
        keychain.user = ClosureUser(atOnce: true) { prompt in
            if prompt.content.kind == .passcode { return .touch(showing: "right index") }
            return (try? .typed(SecureBytes("1234"))) ?? .cancel
        }
        #expect(try keychain.reading(account) == "sheet.failed")
        keychain.user = ClosureUser(atOnce: true) { _ in .fallback }
        #expect(try keychain.reading(account) == "sheet.failed" || keychain.reading(account) == "sheet.cancelled")
        let device = try keychain.device
        #expect(device.wrongPasscodes.isEmpty && device.failedMatches == 0, "none of it was judged")
    }

    @Test(arguments: [
        [], [UInt8](repeating: 0x31, count: 512), [0x31, 0, 0x32], Array("1234".utf8) + [0],
    ])
    func whatIsNoPasscodeIsWrongAndDoesNotCount(_ bytes: [UInt8]) throws {
        let keychain = try keychain()
        let asked = Mutex(0)
        keychain.user = ClosureUser(atOnce: true) { _ in
            asked.withLock { $0 += 1 }
            return (try? .typed(SecureBytes(copying: bytes.span.bytes))) ?? .cancel
        }
        #expect(try keychain.reading("typed") == "sheet.failed")
        #expect(asked.withLock { $0 } == 3)
        #expect(try keychain.device.wrongPasscodes.isEmpty)
        #expect(throws: KeychainError.self) { try keychain.unlock(reason: "") }
        #expect(try keychain.device.wrongPasscodes.isEmpty)
    }

    @Test(arguments: [[], [UInt8](repeating: 0x31, count: 4096), [0x31, 0, 0x32]])
    func anApplicationPasswordMayBeAnything(_ bytes: [UInt8]) throws {
        let keychain = try Keychain.simulated()
        keychain.user = ClosureUser(atOnce: true) { _ in
            (try? .typed(SecureBytes(copying: bytes.span.bytes))) ?? .cancel
        }
        try keychain.keep("x", as: "x", Cast.control(.applicationPassword))
        #expect(try keychain.reading("x") == "x")
        keychain.user = ClosureUser(atOnce: true) { _ in (try? .typed(SecureBytes("1"))) ?? .cancel }
        #expect(try keychain.reading("x") == "sheet.failed")
    }

    // MARK: - Locks

    @Test func nobodyWaitsForWhoIsBeingAsked() throws {
        let keychain = try keychain()
        try keychain.keep("plain", as: "plain")
        let (isAsked, mayEnd) = (Signal(), Signal())
        keychain.user = ClosureUser { _ in
            isAsked.give()
            mayEnd.wait()
            return .touch(showing: "right index")
        }
        let reading = Background { try keychain.reading("any") }
        try #require(isAsked.wait())
        let meanwhile = Background {
            #expect(try keychain.reading("plain") == "plain")
            try keychain.keep("new", as: "new")
            #expect(try keychain.reading("new") == "new")
            #expect(try keychain.enroll("left thumb").refusal == nil)
            #expect(try keychain.unlock(passcode: SecureBytes("1234")).authenticated(.passcode))
            #expect(try !keychain.unlock(passcode: SecureBytes("wrong")).authenticated(.passcode))
            return try keychain.find(ItemQuery(.genericPassword, ["acct": .string("new")], wanted: [.reference])).count
        }
        let waited = try seconds { () throws in #expect(try meanwhile.value() == 1) }
        #expect(waited < 50)
        mayEnd.give()
        #expect(try reading.value() == "any")
    }

    @Test func severalAreAskedAtOnce() throws {
        let keychain = try keychain()
        let everybody = Mutex(0)
        let areAllThere = Signal()
        keychain.user = ClosureUser { _ in
            let count = everybody.withLock {
                $0 += 1
                return $0
            }
            if count == 8 { areAllThere.give() }
            areAllThere.wait()
            return .touch(showing: "right index")
        }
        let readings = (0..<8).map { _ in Background { try keychain.reading("any") } }
        for reading in readings { #expect(try reading.value() == "any") }
    }

    @Test func aLockScreenThatIsTakenAwayUnlocksNothing() throws {
        let keychain = try keychain()
        try keychain.lock()
        keychain.answered { keychain, _ in
            try keychain.simulate(.reboot)
            return .typed(try SecureBytes("1234"))
        }
        #expect(throws: KeychainError.self) { try keychain.unlock(reason: "") }
        #expect(try keychain.device.isLocked)
    }

    @Test func closingEndsWhatIsShown() throws {
        let keychain = try keychain()
        let (isAsked, mayEnd) = (Signal(), Signal())
        keychain.user = ClosureUser { _ in
            isAsked.give()
            mayEnd.wait()
            return .cancel
        }
        let reading = Background { try keychain.reading("any") }
        try #require(isAsked.wait())
        keychain.close()
        let waited = try seconds { () throws in #expect(throws: (any Error).self) { try reading.value() } }
        #expect(waited < 50)
        mayEnd.give()
    }
}
