import Dispatch
import Foundation
import LatchkeyTesting
import Testing
import XCTest

@testable import TokenApp

/// A suite that gets a device for each test by its trait.
@Suite(.device) struct TokenStoreOnQueuesTests {
    private func onAQueue(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }

    @Test func aTokenIsThereOnAnotherQueue() async throws {
        try TokenStore().save("s3cret")
        #expect(await onAQueue { TokenStore().exists })
        #expect(await onAQueue { (try? TokenStore().load()) == "s3cret" })
    }

    @Test(.device(.simulator())) func aSimulatorKeepsNoToken() async throws {
        #expect(throws: TokenStore.Failure.self) { try TokenStore().save("s3cret") }
        #expect(try #require(SimulatedDevice.current).passcode == nil)
    }

    @Test(.device(reach: .process)) func aTokenIsThereInADetachedTask() async throws {
        try TokenStore().save("s3cret")
        #expect(await Task.detached { TokenStore().exists }.value)
    }
}

/// A class whose tests each get a device.
final class TokenStoreCase: SimulatedDeviceTestCase {
    override func setUp() { XCTAssertFalse(TokenStore().exists) }

    func testATokenIsThereOnAThread() throws {
        try TokenStore().save("s3cret")
        let isThere = expectation(description: "the token is there")
        Thread.detachNewThread { if TokenStore().exists { isThere.fulfill() } }
        wait(for: [isThere], timeout: 60)
        XCTAssertEqual(device.world.items.count, 1)
    }

    func testATokenIsThereAfterWaiting() async throws {
        try TokenStore().save("s3cret")
        await Task.yield()
        XCTAssertEqual(try TokenStore().load(), "s3cret")
    }
}
