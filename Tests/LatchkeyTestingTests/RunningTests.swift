import Dispatch
import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import TestSupport
import Testing

/// Tests of which device a call uses.
@Suite struct RunningTests {
    private struct Thrown: Error {}

    @Test func runGivesBackWhatTheBodyGives() async throws {
        let device = SimulatedDevice()
        #expect(device.run { 7 } == 7)
        #expect(
            await device.run {
                await Task.yield(); return 7
            } == 7)
        #expect(throws: Thrown.self) { try SimulatedDevice().run { throw Thrown() } }
        await #expect(throws: Thrown.self) {
            try await SimulatedDevice().run {
                await Task.yield()
                throw Thrown()
            }
        }
        device.run {}
        #expect(SimulatedDevice.current !== device)
    }

    @Test func runsInsideEachOtherMeanTheInnermost() throws {
        let (outer, inner) = (SimulatedDevice(), SimulatedDevice())
        try outer.run {
            try TokenStore().save("outer")
            #expect(SimulatedDevice.current === outer)
            try inner.run {
                #expect(SimulatedDevice.current === inner && TokenStore().status() == errSecItemNotFound)
                try TokenStore().save("inner")
                outer.run { #expect(throws: Never.self) { try TokenStore().load() } }
                #expect(try TokenStore().load() == "inner")
            }
            #expect(SimulatedDevice.current === outer)
            #expect(try TokenStore().load() == "outer")
        }
    }

    @Test func tasksAndGroupsInheritTheDevice() async throws {
        let device = SimulatedDevice()
        try await device.run {
            try TokenStore().save("s3cret")
            let ofTask = try await Task { try TokenStore().load() }.value
            async let child = try TokenStore().load()
            let ofChild = try await child
            #expect(ofTask == "s3cret" && ofChild == "s3cret")
            let statuses = await withTaskGroup(of: OSStatus.self) { group in
                for _ in 0..<4 { group.addTask { TokenStore().status() } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == [0, 0, 0, 0])
            await MainActor.run { #expect(SimulatedDevice.current === device) }
        }
    }

    /// The reply comes on another thread, and every call in it uses the same device.
    @Test func aReplyMeansTheDeviceThatWasAsked() async throws {
        let (device, outer) = (SimulatedDevice(), SimulatedDevice())
        try device.run { try TokenStore().save("s3cret", flags: []) }
        let (isCurrent, status) = await outer.run {
            await withCheckedContinuation { continuation in
                device.run {
                    LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { _, _ in
                        continuation.resume(returning: (SimulatedDevice.current === device, TokenStore().status()))
                    }
                }
            }
        }
        #expect(isCurrent && status == errSecSuccess)
    }

    /// An evaluation keeps its device alive, as it keeps its context.
    @Test func anEvaluationOutlivesWhoeverStartedIt() async {
        let isMet = await withCheckedContinuation { continuation in
            SimulatedDevice().run {
                LAContext().evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "a test") { isMet, _ in
                    continuation.resume(returning: isMet)
                }
            }
        }
        #expect(isMet)
    }

    @Test func aDeviceGoesWhenNobodyHoldsIt() {
        weak var gone: SimulatedDevice?
        do {
            let device = SimulatedDevice()
            gone = device
            device.run { #expect(throws: Never.self) { try TokenStore().save("s3cret") } }
        }
        #expect(gone == nil)
    }

    /// The device of the process, for code that moves to plain queues.
    @Suite(.serialized, .setsTheProcess) struct OfTheProcess {
        private func onAQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: body()) }
            }
        }

        @Test func itIsMeantWhereNoneIsAround() async throws {
            let device = SimulatedDevice()
            SimulatedDevice.processDefault = device
            defer { SimulatedDevice.processDefault = nil }
            #expect(SimulatedDevice.processDefault === device && SimulatedDevice.current === device)
            let status = await onAQueue {
                try? TokenStore().save("s3cret")
                return TokenStore().status()
            }
            #expect(status == errSecSuccess && device.world.items.count == 1)
            let other = SimulatedDevice()
            other.run { #expect(SimulatedDevice.current === other && TokenStore().status() == errSecItemNotFound) }
        }

        @Test func withoutOneThereIsADeviceAllTheSame() async {
            SimulatedDevice.processDefault = nil
            SimulatedDevice.allowsStrayCalls = true
            defer { SimulatedDevice.allowsStrayCalls = false }
            #expect(SimulatedDevice.processDefault == nil && SimulatedDevice.current == nil)
            let (added, read) = await onAQueue {
                ((try? TokenStore().save("s3cret", as: "nobody's", flags: [])) != nil, TokenStore().status("nobody's"))
            }
            #expect(added && read == errSecSuccess)
            _ = await onAQueue { TokenStore().delete("nobody's") }
        }
    }
}
