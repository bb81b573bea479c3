import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Verdicts of PAM on services that need neither root nor an account.
@Suite struct PAMAuthenticatorTests {
    @Test func theRightPasscodeIsAccepted() throws {
        #expect(try PAMStack().verdict() == .accepted)
    }

    @Test func aWrongPasscodeCounts() throws {
        let stack = try PAMStack()
        for wrong in ["wrong", "correct hors", "correct horsf", "correct horse ", "CORRECT HORSE"] {
            #expect(try stack.verdict(wrong) == .wrong)
        }
        #expect(try stack.verdict() == .accepted)
    }

    @Test func aChangedPasscodeIsTheNewOne() throws {
        let stack = try PAMStack()
        try stack.setPasscode("battery staple")
        #expect(try stack.verdict() == .wrong)
        #expect(try stack.verdict("battery staple") == .accepted)
    }

    @Test func anEmptyPasscodeIsNoneWhateverTheServiceAllows() throws {
        let stack = try PAMStack(passcode: "", ["nullok"])
        #expect(try stack.verdict("") == .unavailable(.length(0)))
        // The account has no passcode, and `nullok` would accept every user without a prompt.
        #expect(try stack.verdict("anything") == .wrong)
    }

    @Test func aPasscodeHas511BytesAtMost() throws {
        let longest = String(repeating: "x", count: 511)
        let stack = try PAMStack(passcode: longest)
        #expect(try stack.verdict(longest) == .accepted)
        #expect(try stack.verdict(String(longest.dropLast())) == .wrong)
        #expect(try stack.verdict(longest + "x") == .unavailable(.length(512)))
        #expect(try stack.verdict(String(repeating: "x", count: 100_000)) == .unavailable(.length(100_000)))
    }

    @Test func aPasscodeWithAZeroByteIsNotCutShort() throws {
        let stack = try PAMStack(passcode: "abc")
        #expect(try stack.verdict("abc\0def") == .unavailable(.length(7)))
        #expect(try stack.verdict("abc\0") == .unavailable(.length(4)))
        #expect(try stack.verdict("\0") == .unavailable(.length(1)))
        #expect(try stack.verdict("abc") == .accepted)
    }

    @Test func anyByteButZeroIsPartOfAPasscode() throws {
        let bytes = (1...255).map(UInt8.init).filter { $0 != UInt8(ascii: "\n") }
        let stack = try PAMStack()
        try stack.setPasscode(bytes)
        var passcode = try SecureBytes(copying: bytes.span.bytes)
        #expect(stack.authenticator().authenticate(passcode).verdict == .accepted)
        passcode.withMutableBytes { $0[200] ^= 1 }
        #expect(stack.authenticator().authenticate(passcode).verdict == .wrong)
    }

    @Test func aServiceThatAcceptsEverybodyProvesNothing() throws {
        let stack = try PAMStack()
        try stack.write(["auth required pam_permit.so", "account required pam_permit.so"])
        #expect(try stack.verdict() == .unavailable(.neverAsked))
        // Then the account is not checked either.
        try stack.play(["behave=silent", "account=\(Code.expired)"])
        #expect(try stack.verdict() == .unavailable(.neverAsked))
    }

    @Test func aServiceThatRefusesEverybodyDidNotLook() throws {
        let stack = try PAMStack()
        try stack.write(["auth required pam_deny.so", "account required pam_deny.so"])
        #expect(try stack.verdict() == .unavailable(.refusedUnasked))
    }

    @Test(arguments: [Code.permissionDenied, Code.authenticationError, Code.maxTries])
    func aRefusalCountsOnlyWhereThePasscodeWasSeen(_ code: Int32) throws {
        let stack = try PAMStack(["code=\(code)"])
        #expect(try stack.verdict() == .wrong)
        try stack.play(["behave=silent", "code=\(code)"])
        #expect(try stack.verdict() == .unavailable(.refusedUnasked))
    }

    @Test func anExpiredAccountIsNotLetIn() throws {
        let stack = try PAMStack(["account=\(Code.expired)"])
        #expect(try stack.verdict() == .unavailable(.expired))
        #expect(try stack.verdict("wrong") == .wrong)
    }

    @Test func aPasscodeThatHasToBeChangedIsNotGood() throws {
        let stack = try PAMStack(["account=\(Code.mustChange)"])
        #expect(try stack.verdict() == .unavailable(.mustChange))
        #expect(try stack.verdict("wrong") == .wrong)
    }

    @Test func anAccountThatMayNotBeUsedNowIsNotLetIn() throws {
        #expect(try PAMStack(["account=6"]).verdict() == .unavailable(.accountRefused(6)))
        // This service has no line for accounts.
        let stack = try PAMStack()
        try stack.write(["auth required \(stack.module) passdb=\(stack.passcodes)"])
        #expect(try stack.verdict() == .unavailable(.accountRefused(6)))
    }

    @Test func somebodyUnknownIsNotJudged() throws {
        let stack = try PAMStack()
        let stranger = PAMAuthenticator(service: stack.service, folder: stack.folder, user: "somebody-else")
        #expect(
            stranger.authenticate(try SecureBytes("correct horse")).verdict
                == .unavailable(.unknownUser("somebody-else")))
        for name in ["", "a\0b"] {
            let nobody = PAMAuthenticator(service: stack.service, folder: stack.folder, user: name)
            #expect(nobody.authenticate(try SecureBytes("correct horse")).verdict == .unavailable(.unknownUser(name)))
        }
    }

    @Test func withoutANameItIsTheUserOfTheProcess() throws {
        let stack = try PAMStack()
        let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder)
        #expect(authenticator.authenticate(try SecureBytes("correct horse")).verdict == .accepted)
        #expect(authenticator.authenticate(try SecureBytes("wrong")).verdict == .wrong)
    }

    @Test func aModuleThatFailsIsNoRefusalOfThePasscode() throws {
        let stack = try PAMStack()
        for code in [Code.systemError, Code.unavailable, 3, 5, 8, 14, 20, 27, 30] {
            try stack.play(["code=\(code)"])
            guard case .broken(code, let text) = try stack.verdict().trouble else {
                Issue.record("\(code): \(try stack.verdict())")
                continue
            }
            #expect(!text.isEmpty)
        }
    }

    @Test func aMissingModuleIsTheFaultOfTheService() throws {
        let stack = try PAMStack()
        for module in ["/nowhere/at/all/pam_missing.so", "pam_latchkey_missing.so", stack.path("gone.so")] {
            try stack.write(["auth required \(module)", "account required pam_permit.so"])
            guard case .broken(Code.moduleUnknown, _) = try stack.verdict().trouble else {
                Issue.record("\(module): \(try stack.verdict())")
                continue
            }
        }
    }

    @Test func aTallyOfWrongPasscodesLocksWithoutAQuestion() throws {
        let stack = try PAMStack()
        let tally = stack.path("tally")
        try FileManager.default.createDirectory(
            atPath: tally, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let options = "dir=\(tally) deny=3 unlock_time=600 even_deny_root"
        try stack.write([
            "auth requisite pam_faillock.so preauth \(options)",
            "auth sufficient \(stack.module) passdb=\(stack.passcodes)",
            "auth [default=die] pam_faillock.so authfail \(options)",
            "auth required pam_deny.so",
            "account required pam_faillock.so dir=\(tally)",
            "account required pam_permit.so",
        ])
        #expect(try stack.verdict() == .accepted)
        for _ in 0..<3 { #expect(try stack.verdict("wrong") == .wrong) }
        let locked = try stack.authenticate("correct horse")
        #expect(locked.verdict == .unavailable(.refusedUnasked))
        #expect(locked.notes.contains { $0.contains("locked") }, "\(locked.notes)")
    }
}
