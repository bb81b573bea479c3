import AccessPolicy
import AgentProtocol
import Foundation
import Latchkey
import LatchkeyAgent
import LinuxSystem
import SecretVault
import Testing

/// The requests that a kept authentication counts for.
@Suite struct KeptAuthenticationsTests {
    private let kept: KeptAuthentications
    private let held: HeldContext
    private let item: ItemIdentifier
    private let other: ItemIdentifier

    init() throws {
        kept = try KeptAuthentications { Instant(milliseconds: 1_000_000) }
        kept.reuse = ReuseLimit(sinceUse: .minutes(5))
        held = HeldContext(try Keychain.simulated().makeContext())
        item = try #require(ItemIdentifier(bytes: [UInt8](repeating: 1, count: 16)))
        other = try #require(ItemIdentifier(bytes: [UInt8](repeating: 2, count: 16)))
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
        kept.keep(held, for: mine, item: nil)
        #expect(kept.contexts(for: mine, item: item).isEmpty, "what is for no item counts for none")
        kept.keep(held, for: mine, item: item)
        #expect(kept.contexts(for: mine, item: item).count == 1)
        #expect(kept.contexts(for: mine, item: other).isEmpty)
        for another in [
            program("/usr/bin/mail", number: number), program(file: [1, 3], number: number),
            program(group: "/other.service", number: number), program(number: number + 1),
        ] {
            #expect(kept.contexts(for: another, item: item).isEmpty, "\(another)")
        }
        #expect(kept.contexts(for: mine, item: item).count == 1)
    }

    @Test func aSessionSharesItForEveryItem() throws {
        let status = try #require(ProcessStatus(of: getpid()))
        let mine = Holder.session(terminal: status.terminal, leader: getpid(), started: status.start)
        kept.keep(held, for: mine, item: item)
        for item in [item, other] { #expect(kept.contexts(for: mine, item: item).count == 1) }
        let another = Holder.session(terminal: status.terminal + 1, leader: getpid(), started: status.start)
        #expect(kept.contexts(for: another, item: item).isEmpty)
        // The number of the process that leads a session may be taken by another one.
        let later = Holder.session(terminal: status.terminal, leader: getpid(), started: status.start + 1)
        #expect(kept.contexts(for: later, item: item).isEmpty)
    }
}
