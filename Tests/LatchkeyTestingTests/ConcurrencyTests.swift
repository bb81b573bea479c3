import Foundation
import LatchkeyTesting
import LocalAuthentication
import Security
import Synchronization
import Testing

/// Tests of many devices at once, and of many threads on one.
@Suite(.timeLimit(.minutes(20))) struct ConcurrencyTests {
    /// Runs `body` on this many threads at once, and waits for all of them.
    private func onThreads<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) -> Value
    ) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for number in 0..<count {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread { continuation.resume(returning: (number, body(number))) }
                    }
                }
            }
            var values: [Int: Value] = [:]
            for await (number, value) in group { values[number] = value }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    // MARK: - Many devices

    @Test func athousandDevicesDoNotMeddleWithEachOther() async {
        let devices = (0..<1000).map { SimulatedDevice(passcode: "\($0)", enrolled: ["finger \($0)"]) }
        await withTaskGroup(of: Void.self) { group in
            for (number, device) in devices.enumerated() {
                group.addTask {
                    await device.run {
                        do {
                            try TokenStore().save("token \(number)")
                            await Task.yield()
                            #expect(try TokenStore().load() == "token \(number)")
                            #expect(SimulatedDevice.current === device)
                            try await LAContext().evaluatePolicy(
                                .deviceOwnerAuthentication, localizedReason: "number \(number)")
                            if number.isMultiple(of: 2) { device.enroll("another") }
                            await Task.yield()
                            #expect(
                                TokenStore().status()
                                    == (number.isMultiple(of: 2) ? errSecItemNotFound : errSecSuccess),
                                "\(device)")
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        let hashes = Set(devices.map { device in device.run { LAContext().domainState.stateHash } })
        #expect(hashes.count == 1000 && !hashes.contains(nil))
        for (number, device) in devices.enumerated() {
            let isEven = number.isMultiple(of: 2)
            #expect(device.enrolled == ["finger \(number)"] + (isEven ? ["another"] : []))
            #expect(device.prompts.map(\.reason) == ["", "number \(number)"] + (isEven ? [] : [""]))
            #expect(device.world.items.count == (isEven ? 0 : 1))
        }
    }

    // MARK: - Many threads

    private static let rounds = 40

    private func query(_ account: String) -> [String: Any] {
        [kSecClass as String: kSecClassGenericPassword, kSecAttrAccount as String: account]
    }

    private func open(_ account: String, _ value: String) -> OSStatus {
        var query = query(account)
        query[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlock
        query[kSecValueData as String] = Data(value.utf8)
        return SecItemAdd(query as CFDictionary, nil)
    }

    private func read(_ account: String, in context: LAContext? = nil) -> (status: OSStatus, value: String?) {
        var query = query(account)
        query[kSecReturnData as String] = true
        if let context { query[kSecUseAuthenticationContext as String] = context }
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        return (status, (item as? Data).map { String(decoding: $0, as: UTF8.self) })
    }

    /// Adds, changes, reads and deletes items that a lock does not close. Each call must succeed, and the last write
    /// counts.
    private func useOwnItem(_ thread: Int, _ round: Int) {
        let account = "own \(thread)"
        #expect(open(account, "new") == errSecSuccess)
        #expect(open(account, "again") == errSecDuplicateItem)
        for version in 1...2 {
            let change = [kSecValueData as String: Data("\(thread).\(round).\(version)".utf8)]
            #expect(SecItemUpdate(query(account) as CFDictionary, change as CFDictionary) == errSecSuccess)
        }
        let found = read(account)
        #expect(found.status == errSecSuccess && found.value == "\(thread).\(round).2")
        #expect(SecItemDelete(query(account) as CFDictionary) == errSecSuccess)
        #expect(read(account).status == errSecItemNotFound)
    }

    @Test func sixteenThreadsShareADevice() async {
        let device = SimulatedDevice()
        device.run {
            for thread in 0..<16 {
                #expect(throws: Never.self) {
                    try TokenStore().save("token \(thread)", as: "\(thread)", flags: .userPresence)
                }
            }
        }
        let contexts = (0..<16).map { _ in ContextInUse() }
        let over = Flag()
        // While the sixteen threads work, one more changes the device and another ends contexts.
        async let handling: Void = {
            _ = await onThreads(2) { which in
                while !over.isSet {
                    if which == 0 {
                        device.lock()
                        #expect(device.unlock(passcode: "1234"))
                        device.enroll("left thumb")
                        #expect(device.unlock(finger: "right index"))
                        device.remove("left thumb")
                        device.advance(by: .seconds(1))
                    } else {
                        for context in contexts { context.replace() }
                        usleep(2000)
                    }
                }
            }
        }()
        let allowed: Set<OSStatus> = [errSecSuccess, errSecInteractionNotAllowed, errSecAuthFailed]
        let added = await onThreads(16) { thread in
            device.run {
                var added = 0
                for round in 0..<Self.rounds {
                    useOwnItem(thread, round)
                    switch open("shared \(round)", "\(thread)") {
                    case errSecSuccess: added += 1
                    case let status: #expect(status == errSecDuplicateItem)
                    }
                    let context = contexts[thread].value
                    var query: [String: Any] = self.query("\(thread)")
                    query[kSecAttrService as String] = "token"
                    query[kSecReturnData as String] = true
                    query[kSecUseAuthenticationContext as String] = context
                    var item: CFTypeRef?
                    let status = SecItemCopyMatching(query as CFDictionary, &item)
                    #expect(allowed.contains(status), "\(status)")
                    #expect((status == errSecSuccess) == (item as? Data == Data("token \(thread)".utf8)))
                }
                return added
            }
        }
        over.set()
        await handling
        #expect(added.reduce(0, +) == Self.rounds, "each shared item was added once")
        device.unlock(passcode: "1234")
        device.run {
            for round in 0..<Self.rounds {
                let found = read("shared \(round)")
                #expect(
                    found.status == errSecSuccess && found.value.flatMap(Int.init).map { (0..<16).contains($0) } == true
                )
            }
            for thread in 0..<16 {
                #expect(throws: Never.self) { try TokenStore().load("\(thread)") }
            }
        }
        #expect(device.world.items.count == Self.rounds + 16 && device.enrolled == ["right index"])
    }

    @Test func oneContextServesManyThreads() async {
        let device = SimulatedDevice()
        let context = ContextInUse()
        let isMet = await onThreads(16) { _ in
            device.run {
                context.outcome(.deviceOwnerAuthentication)
            }
        }
        #expect(isMet == Array(repeating: 0, count: 16))
        #expect((1...16).contains(device.prompts.count))
        device.clearRecords()
        device.run { #expect(context.value.canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)) }
        #expect(device.prompts.isEmpty)
    }

    @Test func aContextEndsUnderManyThreads() async {
        let device = SimulatedDevice()
        let context = ContextInUse()
        let outcomes = await onThreads(17) { thread in
            device.run {
                if thread == 16 {
                    usleep(500)
                    context.value.invalidate()
                    return Set([0])
                }
                var outcomes: Set<Int> = []
                for _ in 0..<10 {
                    outcomes.insert(context.outcome(.deviceOwnerAuthenticationWithBiometrics))
                }
                return outcomes
            }
        }
        for set in outcomes { #expect(set.isSubset(of: [0, -9, -10]), "\(set)") }
        device.run {
            var error: NSError?
            #expect(!context.value.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error))
            #expect(error?.code == -10)
        }
    }
}

/// A context that threads share, and that one of them may end and replace.
private final class ContextInUse: Sendable {
    private let context = Mutex(LAContext())

    var value: LAContext { context.withLock { Passed($0) }.context }

    func replace() {
        let former = context.withLock { context in
            defer { context = LAContext() }
            return Passed(context)
        }
        former.context.invalidate()
    }

    /// Returns the code that an evaluation in the context ends with.
    func outcome(_ policy: LAPolicy) -> Int {
        let done = DispatchSemaphore(value: 0)
        let number = Number()
        value.evaluatePolicy(policy, localizedReason: "a test") { isMet, error in
            number.value.store(isMet ? 0 : (error as? LAError)?.code.rawValue ?? .max, ordering: .releasing)
            done.signal()
        }
        done.wait()
        return number.value.load(ordering: .acquiring)
    }

    /// A context that goes to another thread. Several threads may use one here; Apple's documentation does not say so.
    private struct Passed: @unchecked Sendable {
        let context: LAContext
        init(_ context: LAContext) { self.context = context }
    }
}

private final class Number: Sendable {
    let value = Atomic(Int.max)
}

/// A flag that one thread raises and others read.
private final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
