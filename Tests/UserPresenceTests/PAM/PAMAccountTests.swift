import Foundation
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// The modules of a real system, with real accounts that are deleted afterwards.
@Suite(.serialized, .waitsInOrder, .needsRoot) struct PAMAccountTests {
    private let account: ThrowawayAccount
    private let stack: PAMStack

    init() throws {
        account = try ThrowawayAccount(passcode: "correct horse battery")
        stack = try PAMStack(user: account.name)
        try stack.write(["auth required pam_unix.so", "account required pam_unix.so"])
    }

    @Test func itIsThePasscodeOfTheAccount() throws {
        #expect(try stack.verdict("correct horse battery") == .accepted)
        // By default the module waits about two seconds after each wrong passcode.
        let isToldAtOnce = try Patience.isQuick(.milliseconds(1200)) {
            let verdict = try stack.verdict("wrong")
            #expect(verdict == .wrong)
        }
        #expect(isToldAtOnce)
        try account.setPasscode("another one")
        #expect(try stack.verdict("correct horse battery") == .wrong)
        #expect(try stack.verdict("another one") == .accepted)
    }

    @Test func anExpiredAccountIsOver() throws {
        try account.run("chage", ["-E", "0", account.name])
        let result = try stack.authenticate("correct horse battery")
        #expect(result.verdict == .unavailable(.expired))
        #expect(result.notes.count == 1, "\(result.notes)")
        #expect(try stack.verdict("wrong") == .wrong)
    }

    @Test func aPasscodeThatIsTooOldHasToBeChanged() throws {
        try account.run("chage", ["-d", "0", account.name])
        let result = try stack.authenticate("correct horse battery")
        #expect(result.verdict == .unavailable(.mustChange))
        #expect(result.notes.count == 1, "\(result.notes)")
    }

    @Test func anAccountWithoutAPasscodeLetsNobodyIn() throws {
        try account.run("passwd", ["-q", "-d", account.name])
        try stack.write(["auth required pam_unix.so nullok", "account required pam_unix.so"])
        #expect(try stack.verdict("anything") == .wrong)
        #expect(try stack.verdict("") == .unavailable(.length(0)))
    }

    @Test func nobodyOfThatNameIsUnknown() throws {
        let name = account.name + "-none"
        let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder, user: name)
        #expect(authenticator.authenticate(try SecureBytes("anything")).verdict == .unavailable(.unknownUser(name)))
    }

    /// An ordinary user can check the own passcode, and that of no other user.
    @Test func anOrdinaryUserIsJudgedByTheOwnPasscode() async throws {
        // The process below finds the accounts by their names.
        let accounts = try [("me", "mine is this"), ("other", "of somebody else")].map { name, passcode in
            try ThrowawayAccount(passcode: passcode, name: ThrowawayAccount.name(of: name, in: getpid()))
        }
        await #expect(processExitsWith: .success) {
            let me = ThrowawayAccount.name(of: "me", in: getppid())
            let id = try #require(getpwnam(me)).pointee.pw_uid
            let stack = try PAMStack(passcode: "on my own stack", user: me)
            for path in [stack.path(""), stack.folder, stack.serviceFile, stack.module, stack.passcodes] {
                try #require(chown(path, id, id) == 0)
            }
            try #require(setgroups(0, nil) == 0 && setgid(id) == 0 && setuid(id) == 0)
            try #require(geteuid() == id && setuid(0) != 0)

            let authenticator = PAMAuthenticator(service: stack.service, folder: stack.folder)
            #expect(authenticator.authenticate(try SecureBytes("on my own stack")).verdict == .accepted)
            #expect(authenticator.authenticate(try SecureBytes("mine is this")).verdict == .wrong)

            try stack.write(["auth required pam_unix.so", "account required pam_unix.so"])
            #expect(authenticator.authenticate(try SecureBytes("mine is this")).verdict == .accepted)
            #expect(authenticator.authenticate(try SecureBytes("on my own stack")).verdict == .wrong)
            let other = PAMAuthenticator(
                service: stack.service, folder: stack.folder, user: ThrowawayAccount.name(of: "other", in: getppid()))
            let result = other.authenticate(try SecureBytes("of somebody else"))
            guard case .broken(Code.unavailable, _) = result.verdict.trouble else {
                Issue.record("\(result)")
                return
            }
        }
        withExtendedLifetime(accounts) {}
    }

    /// The module that every system has leaves nothing of a passcode either.
    @Test func nothingIsLeftOfAPasscodeOfAnAccount() async throws {
        let owner = try ThrowawayAccount(
            passcode: "something else", name: ThrowawayAccount.name(of: "left", in: getpid()))
        await #expect(processExitsWith: .success) {
            let canary = Canary()
            let stack = try PAMStack(user: ThrowawayAccount.name(of: "left", in: getppid()))
            try stack.write(["auth required pam_unix.so", "account required pam_unix.so"])
            try canary.expectNothingLeft { #expect(stack.authenticator().authenticate($0).verdict == .wrong) }
        }
        withExtendedLifetime(owner) {}
    }

    /// A user with a number and without a name.
    @Test func whoeverHasNoNameIsUnknown() async {
        await #expect(processExitsWith: .success) {
            let number: uid_t = 3_999_999_937
            try #require(getpwuid(number) == nil && setuid(number) == 0)
            let authenticator = PAMAuthenticator(service: "any")
            let verdict = authenticator.authenticate(try SecureBytes("anything")).verdict
            #expect(verdict == .unavailable(.unknownUser("number \(number)")))
        }
    }

    /// Root and the present user are trusted, and another user's files are not.
    @Test func whatBelongsToSomebodyElseIsNotGoneBy() throws {
        for file in [stack.serviceFile, stack.folder, stack.path("")] {
            try FileManager.default.setAttributes([.ownerAccountID: account.id], ofItemAtPath: file)
            #expect(try stack.verdict().untrusted != nil, "\(file)")
            try FileManager.default.setAttributes([.ownerAccountID: 0], ofItemAtPath: file)
        }
        try stack.play([])
        #expect(try stack.verdict() == .accepted)
        try FileManager.default.setAttributes([.ownerAccountID: account.id], ofItemAtPath: stack.module)
        #expect(try stack.verdict().untrusted?.contains("belongs to user \(account.id)") == true)
    }
}

/// An account of this system, which is deleted with the test.
private final class ThrowawayAccount: Sendable {
    let name: String
    let id: Int

    /// Creates an account with this name, or with a name that no account has.
    init(passcode: String, name: String? = nil) throws {
        let name = name ?? Self.name(of: String(UInt32.random(in: 0...UInt32.max), radix: 36), in: getpid())
        self.name = name
        try Self.run("useradd", ["--no-create-home", "--shell", "/usr/sbin/nologin", "--user-group", name])
        guard let entry = getpwnam(name) else {
            try? Self.run("userdel", [name])
            throw CocoaError(.featureUnsupported)
        }
        id = Int(entry.pointee.pw_uid)
        do {
            try setPasscode(passcode)
        } catch {
            try? Self.run("userdel", [name])
            throw error
        }
    }

    deinit { try? Self.run("userdel", [name]) }

    /// Returns the name of the account that a test process calls `name`.
    static func name(of name: String, in process: pid_t) -> String { "latchkey-\(process)-\(name)" }

    func setPasscode(_ passcode: String) throws { try Self.run("chpasswd", [], "\(name):\(passcode)\n") }

    func run(_ tool: String, _ arguments: [String]) throws { try Self.run(tool, arguments) }

    /// Runs a tool that changes accounts. Tries again if another program has locked their files.
    private static func run(_ tool: String, _ arguments: [String], _ input: String = "") throws {
        var status: Int32 = 0
        for _ in 0..<20 {
            let process = Process(), pipe = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", tool] + arguments
            process.standardInput = pipe
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try pipe.fileHandleForWriting.close()
            process.waitUntilExit()
            status = process.terminationStatus
            if status == 0 { return }
            usleep(200_000)
        }
        throw CocoaError(.executableNotLoadable, userInfo: [NSDebugDescriptionErrorKey: "\(tool): \(status)"])
    }
}
