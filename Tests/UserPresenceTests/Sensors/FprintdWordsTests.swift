import SystemServices
import Testing
import UserPresence

/// The words of fprintd, as its interface lists them.
@Suite struct FprintdWordsTests {
    @Test func everyFingerHasANameThatPeopleUse() {
        #expect(FprintdFinger.all.count == 10)
        for finger in FprintdFinger.all {
            #expect(FprintdFinger(called: finger.name) == finger)
            #expect(FprintdFinger(called: finger.id) == finger)
            #expect(FprintdFinger(called: finger.name.uppercased()) == finger)
        }
        #expect(FprintdFinger(called: "right  Index finger")?.id == "right-index-finger")
        #expect(FprintdFinger(called: "left thumb")?.id == "left-thumb")
        for name in ["", "nose", "index", "right", "left thumb finger ", "any"] {
            #expect(FprintdFinger(called: name) == nil, "\(name)")
        }
        #expect(FprintdFinger.name(of: "a-finger-that-is-new") == "a finger that is new")
    }

    private static let results: [(word: String, isDone: Bool, result: FprintdResult)] = [
        ("verify-match", true, .success), ("enroll-completed", true, .success),
        ("verify-no-match", true, .noMatch),
        ("verify-match", false, .again("Touch again")), ("enroll-completed", false, .again("Touch again")),
        ("enroll-stage-passed", false, .again("Touch again")),
        ("verify-retry-scan", false, .again("Not clear. Touch again")),
        ("enroll-swipe-too-short", false, .again("Too short. Swipe again")),
        ("enroll-data-full", true, .failed(.full)), ("enroll-duplicate", true, .failed(.alreadyEnrolled)),
        ("verify-disconnected", true, .failed(.absent("the reader was unplugged"))),
        ("verify-disconnected", false, .failed(.absent("the reader was unplugged"))),
        ("verify-unknown-error", true, .failed(.refused("fprintd reports verify-unknown-error"))),
        ("verify-retry-scan", true, .failed(.refused("fprintd reports verify-retry-scan"))),
        ("something-new", true, .failed(.refused("fprintd reports something-new"))),
        ("something-new", false, .again("Touch again")), ("", true, .failed(.refused("fprintd reports "))),
    ]

    /// Only two words mean success, and only if nothing follows.
    @Test(arguments: results.indices) func aResultMeansOneThing(_ index: Int) {
        let (word, isDone, result) = Self.results[index]
        #expect(FprintdResult(word, isDone: isDone) == result)
    }

    private static let failures: [(name: String, failure: SensorError)] = [
        ("net.reactivated.Fprint.Error.NoSuchDevice", .absent("fprintd finds no fingerprint reader")),
        (
            "org.freedesktop.DBus.Error.ServiceUnknown",
            .absent("fprintd does not run: install the package fprintd")
        ),
        (
            "org.freedesktop.DBus.Error.Spawn.ExecFailed",
            .absent("fprintd does not run: install the package fprintd")
        ),
        ("org.freedesktop.DBus.Error.NoReply", .absent("fprintd has ended")),
        (
            "net.reactivated.Fprint.Error.PermissionDenied",
            .refused("polkit permits the reader only in a session at this machine")
        ),
        (
            "org.freedesktop.DBus.Error.AccessDenied",
            .refused("polkit permits the reader only in a session at this machine")
        ),
        ("net.reactivated.Fprint.Error.AlreadyInUse", .refused("another program uses the reader")),
        ("net.reactivated.Fprint.Error.NoEnrolledPrints", .notEnrolled),
        ("net.reactivated.Fprint.Error.Internal", .refused("fprintd: words")), ("", .refused("fprintd: words")),
    ]

    @Test(arguments: failures.indices) func anErrorIsAFailure(_ index: Int) {
        let (name, failure) = Self.failures[index]
        #expect(SensorError(BusError(code: 0, reported: (name, "words"))) == failure)
    }

    @Test func aLostBusIsAFailureToo() {
        #expect(SensorError(BusError(code: BusError.timedOut)) == .timedOut)
        #expect(SensorError(BusError(code: BusError.ended)) == .interrupted)
        guard case .absent = SensorError(BusError(code: 2)) else {
            Issue.record("there is no bus")
            return
        }
    }
}
