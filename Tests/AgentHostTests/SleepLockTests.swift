import AgentProtocol
import Foundation
import PlainText
import TestSupport
import Testing

extension AgentTests {
    /// The real agent on a private bus, whose mock of logind announces that the machine is about to sleep.
    @Suite(.serialized, .enabled(if: FakeBus.isPossible("logind"))) struct SleepLockTests {
        private static let logind = "org.freedesktop.login1"
        private static let manager = "/org/freedesktop/login1"

        private func startedBus() throws -> FakeBus {
            let bus = try FakeBus()
            try bus.start()
            try bus.startMock("logind") { _ = try inhibitors(on: bus) }
            return bus
        }

        private func inhibitors(on bus: FakeBus) throws -> String {
            try bus.call(Self.logind, Self.manager, "\(Self.logind).Manager", "ListInhibitors")
        }

        /// Returns true while logind lets the machine wait for the agent.
        private func holdsBack(_ bus: FakeBus) throws -> Bool {
            try inhibitors(on: bus).contains(#""sleep" "latchkey" "the keys are wiped" "delay""#)
        }

        private func announceSleep(_ begins: Bool, on bus: FakeBus) throws {
            try bus.call(
                Self.logind, Self.manager, "org.freedesktop.DBus.Mock", "EmitSignal", "sssav",
                "\(Self.logind).Manager", "PrepareForSleep", "b", "1", "b", "\(begins)")
        }

        /// Once logind may let the machine sleep, the vault is locked. After waking up, the next sleep waits as well.
        @Test func theMachineSleepsOnlyOnceTheVaultIsLocked() throws {
            let bus = try startedBus()
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault, variables: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
            defer { withExtendedLifetime((agent, bus)) {} }
            let client = try RawClient(vault.place.socket)
            let read = #"{"do":"read","name":"there"}"#
            let add = #"{"do":"add","name":"there","policy":\#(RequestTests.always)}"#
            for round in 1...2 {
                try #require(Patience.wait(everyMilliseconds: 50) { try holdsBack(bus) })
                #expect(try client.ask(#"{"do":"unlock"}"#, [], RequestTests.answers).done != nil)
                if round == 1 { #expect(try client.ask(add, [1, 2, 3]).done != nil) }
                #expect(try client.ask(read).done != nil)
                try announceSleep(true, on: bus)
                try #require(Patience.wait(everyMilliseconds: 50) { try !holdsBack(bus) })
                #expect(try client.ask(#"{"do":"status"}"#).done?["state"] == .string("locked"))
                #expect(try client.ask(read).kind == "locked")
                try announceSleep(false, on: bus)
            }
        }

        /// Without logind, the status says that the keys would stay.
        @Test func withoutLogindTheStatusSaysSo() throws {
            let vault = try VaultOfTest()
            let agent = try RunningAgent(vault)
            defer { withExtendedLifetime(agent) {} }
            let client = try RawClient(vault.place.socket)
            func trouble() throws -> String {
                guard case .string(let trouble) = try client.ask(#"{"do":"status"}"#).done?["sleep-trouble"] else {
                    return ""
                }
                return trouble
            }
            #expect(
                try Patience.wait {
                    try trouble().hasSuffix("keys stay in memory when the machine sleeps or the screen is locked")
                })
        }
    }
}
