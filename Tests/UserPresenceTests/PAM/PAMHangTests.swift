import Foundation
import LinuxSystem
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Modules that do not return.
@Suite struct PAMHangTests {
    /// Fills the four places of `authenticator` with calls that hang, and frees them again.
    private static func exhaust(_ stack: PAMStack, _ authenticator: PAMAuthenticator, _ leftBehind: () -> Int?) throws {
        let record = stack.path("record")
        try stack.hang(["record=\(record)"])
        for _ in 0..<4 {
            #expect(
                authenticator.authenticate(try SecureBytes("correct horse")).verdict == .unavailable(.hung(seconds: 1)))
        }
        let isRefusedAtOnce = try Patience.isQuick(.milliseconds(100)) {
            let verdict = authenticator.authenticate(try SecureBytes("correct horse")).verdict
            #expect(verdict == .unavailable(.tooManyHung(4)))
        }
        #expect(isRefusedAtOnce, "a call waits for a place that does not come back")
        if let count = leftBehind() { #expect(count == 4) }

        try stack.letGo()
        // A place is free again when its call returns.
        var verdict = PasscodeResult.Verdict.unavailable(.tooManyHung(4))
        _ = try Patience.wait {
            verdict = authenticator.authenticate(try SecureBytes("correct horse")).verdict
            return verdict != .unavailable(.tooManyHung(4))
        }
        #expect(verdict == .accepted)
        _ = try Patience.wait {
            try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").count >= 5
        }
        // The calls that timed out asked for the passcode and did not get it.
        let codes = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n").sorted()
        #expect(codes == ["0 told"] + Array(repeating: "\(Code.authtokError)", count: 4))
        #expect(Patience.wait { leftBehind() ?? 0 == 0 })
    }

    @Test func atMostFourCallsAreLeftBehind() throws {
        let stack = try PAMStack()
        let supervisor = Supervisor(places: 4)
        try Self.exhaust(stack, stack.authenticator(patience: 250, among: supervisor)) { supervisor.leftBehind }
    }

    /// All authenticators of the process share the four places. This needs a separate process in which nothing else
    /// checks a passcode.
    @Test func allJudgesOfTheProcessShareThem() async throws {
        await #expect(processExitsWith: .success) {
            let stack = try PAMStack()
            try Self.exhaust(stack, stack.authenticator(patience: 250)) { nil }
            let other = try PAMStack()
            try stack.hang()
            for _ in 0..<4 { _ = stack.authenticator(patience: 50).authenticate(try SecureBytes("x")) }
            #expect(try other.verdict() == .unavailable(.tooManyHung(4)))
            try stack.letGo()
        }
    }

    @Test func whoHangsKeepsNobodyElseWaiting() throws {
        let slow = try PAMStack(), quick = try PAMStack()
        let supervisor = Supervisor(places: 4)
        try slow.hang()
        for _ in 0..<3 {
            let verdict = slow.authenticator(patience: 50, among: supervisor).authenticate(
                try SecureBytes("correct horse")
            ).verdict
            #expect(verdict == .unavailable(.hung(seconds: 1)))
        }
        #expect(
            quick.authenticator(among: supervisor).authenticate(try SecureBytes("correct horse")).verdict == .accepted)
        try slow.letGo()
    }

    /// A slow module is not abandoned before its time is over.
    @Test func slownessIsNoHang() throws {
        let stack = try PAMStack()
        try stack.hang()
        let supervisor = Supervisor(places: 1)
        Thread.detachNewThread {
            usleep(200_000)
            try? stack.letGo()
        }
        #expect(
            stack.authenticator(among: supervisor).authenticate(try SecureBytes("correct horse")).verdict == .accepted)
    }
}
