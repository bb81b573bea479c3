import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import LinuxSystem
import SecretService
import SecretVault
import Synchronization
import Testing
import VaultService

/// The requests that a kept authentication counts for, and the time for which it does.
@Suite struct KeptContextsTests {
    private let kept: KeptContexts
    private let held: HeldContext
    private let item: ItemIdentifier
    private let other: ItemIdentifier
    /// A clock that tests set, in milliseconds.
    private final class Clock: Sendable {
        let now = Atomic<Int64>(1_000_000)
        func pass(_ milliseconds: Int64) { now.add(milliseconds, ordering: .relaxed) }
    }
    private let clock = Clock()

    init() throws {
        kept = try KeptContexts(mostAlike: 8) { [clock] in Instant(milliseconds: clock.now.load(ordering: .relaxed)) }
        kept.reuse = ReuseLimit(sinceUse: .minutes(5))
        held = try Self.context()
        item = try #require(ItemIdentifier(bytes: [UInt8](repeating: 1, count: 16)))
        other = try #require(ItemIdentifier(bytes: [UInt8](repeating: 2, count: 16)))
    }

    private static func context() throws -> HeldContext { HeldContext(try Keychain.simulated().makeContext()) }

    private func session(terminalMore: Int32 = 0, startedMore: UInt64 = 0) throws -> Holder {
        let status = try #require(ProcessStatus(of: getpid()))
        return .session(
            terminal: status.terminal + terminalMore, leader: getpid(), started: status.start + startedMore)
    }

    private func connection(_ number: Int) throws -> KeptScope {
        let collection = try #require(CollectionID("login"))
        let id: ShelfItemID? = ShelfItemID("a", in: collection)
        let item = try #require(id)
        return .connection(":1.\(number)", item)
    }

    /// One scope of each kind that lasts for this process.
    private func scopes() throws -> [KeptScope] {
        [
            try #require(try KeptScope(session(), item)), try connection(7),
            .rule("app=mail -> once-per-session"),
        ]
    }

    private static let groups = "/sys/fs/cgroup/"

    @Test(.enabled(if: FileManager.default.fileExists(atPath: groups), "skipped: needs control groups"))
    func withoutATerminalItCountsForOneItemOneExecutableAndOneUnit() throws {
        // What belongs to a group that is gone is forgotten, so the test uses one that is always there.
        let attributes = try FileManager.default.attributesOfItem(atPath: Self.groups)
        let number = try #require(attributes[.systemFileNumber] as? NSNumber).uint64Value
        func program(
            _ path: String = "/usr/bin/backup", file: [UInt64] = [1, 2], group: String = "/", number: UInt64
        ) -> Holder {
            .program(ProcessProgram(path: path, file: file, group: group, groupNumber: number))
        }
        let mine = program(number: number)
        #expect(KeptScope(mine, nil) == nil, "what is for no item counts for none")
        let scope = try #require(KeptScope(mine, item))
        kept.keep(held, in: scope, since: kept.locks)
        #expect(kept.contexts(in: scope).count == 1)
        #expect(kept.contexts(in: try #require(KeptScope(mine, other))).isEmpty)
        for another in [
            program("/usr/bin/mail", number: number), program(file: [1, 3], number: number),
            program(group: "/other.service", number: number), program(number: number + 1),
        ] {
            #expect(kept.contexts(in: try #require(KeptScope(another, item))).isEmpty, "\(another)")
        }
        #expect(kept.contexts(in: scope).count == 1)
    }

    @Test func aSessionSharesItForEveryItem() throws {
        let scope = try #require(try KeptScope(session(), item))
        kept.keep(held, in: scope, since: kept.locks)
        for item in [nil, item, other] {
            #expect(kept.contexts(in: try #require(try KeptScope(session(), item))).count == 1)
        }
        // The number of the process that leads a session may be taken by another one.
        for another in [try session(terminalMore: 1), try session(startedMore: 1)] {
            #expect(kept.contexts(in: try #require(KeptScope(another, item))).isEmpty)
        }
    }

    @Test func aLockEndsEverything() throws {
        let before = kept.locks
        for scope in try scopes() { kept.keep(held, in: scope, since: before) }
        #expect(try scopes().allSatisfy { !kept.contexts(in: $0).isEmpty })
        kept.noteLock()
        #expect(try scopes().allSatisfy { kept.contexts(in: $0).isEmpty })
        // What a user proved before the lock counts no more, even if the request ends after it.
        for scope in try scopes() { kept.keep(held, in: scope, since: before) }
        #expect(try scopes().allSatisfy { kept.contexts(in: $0).isEmpty })
    }

    /// Returns how long a context counts in a scope that is used each of these milliseconds after the one before.
    private func lasts(_ scope: KeptScope, used pauses: [Int64]) -> Bool {
        kept.forget { _ in true }
        kept.keep(held, in: scope, since: kept.locks)
        for pause in pauses {
            clock.pass(pause)
            guard let held = kept.contexts(in: scope).first else { return false }
            kept.use(held, in: scope)
        }
        return true
    }

    @Test func eachScopeLastsItsTime() throws {
        let (session, connection, rule) = (try scopes()[0], try scopes()[1], try scopes()[2])
        let minutes: Int64 = 60_000
        #expect(lasts(session, used: [5 * minutes - 1, 5 * minutes - 1]) && !lasts(session, used: [5 * minutes]))
        #expect(!lasts(session, used: [Int64](repeating: 4 * minutes, count: 181)), "twelve hours at most")
        #expect(lasts(connection, used: [9_999]) && !lasts(connection, used: [10_000]))
        #expect(lasts(connection, used: [100, 1_999]) && !lasts(connection, used: [100, 2_000]))
        #expect(!lasts(connection, used: [100, 1_000, 1_000]), "a second use renews nothing")
        #expect(lasts(rule, used: [100 * 60 * minutes]))
    }

    @Test func anotherLimitEndsWhatCommandsHaveKeptAndNoGrant() throws {
        for scope in try scopes() { kept.keep(held, in: scope, since: kept.locks) }
        kept.reuse = ReuseLimit(sinceUse: .minutes(5))
        #expect(try scopes().allSatisfy { !kept.contexts(in: $0).isEmpty })
        // Other settings may ask for more, with the same limit.
        kept.noteSettings(ReuseLimit(sinceUse: .minutes(5)))
        #expect(try scopes().map { kept.contexts(in: $0).isEmpty } == [true, false, false])
        kept.keep(held, in: try scopes()[0], since: kept.locks)
        kept.reuse = .none
        #expect(try scopes().map { kept.contexts(in: $0).isEmpty } == [true, false, false])
        kept.keep(held, in: try scopes()[0], since: kept.locks)
        #expect(kept.contexts(in: try scopes()[0]).isEmpty)
    }

    @Test func theNewestComesFirstAndTheOldestGoes() throws {
        let scope = try scopes()[0]
        let all = try (0..<6).map { _ in try Self.context() }
        for held in all { kept.keep(held, in: scope, since: kept.locks) }
        #expect(
            kept.contexts(in: scope).map(ObjectIdentifier.init) == all.suffix(4).reversed().map(ObjectIdentifier.init))
        // A connection has one, and there are not too many of them.
        for number in 0...8 {
            for held in all.prefix(2) {
                kept.keep(held, in: try connection(number), since: kept.locks)
            }
            clock.pass(1)
        }
        let counts = try (0...8).map { kept.contexts(in: try connection($0)).count }
        #expect(counts[0] == 0 && counts.dropFirst().allSatisfy { $0 == 1 })
        #expect(kept.contexts(in: scope).count == 4)
    }
}
