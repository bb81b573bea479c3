import SecretService
import Synchronization
import Testing

@Suite struct AskingTests {
    @Test("what is to be done when the time to ask is over is done once, and at once after it")
    func whenOver() {
        let asking = CallLifetime()
        let done = Atomic(0)
        asking.whenOver { done.add(1, ordering: .relaxed) }
        #expect(done.load(ordering: .relaxed) == 0 && !asking.isOver)
        #expect(throws: Never.self) { try asking.check() }
        asking.end()
        asking.end()
        #expect(done.load(ordering: .relaxed) == 1 && asking.isOver)
        #expect(throws: SecretFault.locked) { try asking.check() }
        asking.whenOver { done.add(1, ordering: .relaxed) }
        #expect(done.load(ordering: .relaxed) == 2)
    }
}
