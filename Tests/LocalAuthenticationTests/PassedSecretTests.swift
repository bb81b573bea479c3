import TestSupport
import Testing

/// Tests that Latchkey keeps no copy of the secrets that an app passes in.
@Suite struct PassedSecretTests {
    /// Returns the bytes that the exerciser makes of a number.
    private static func bytes(of number: UInt64) -> [UInt8] {
        var state = number
        return (0..<48).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// Another program passes a secret and an application password, and then overwrites its own bytes. A search of its memory
    /// finds both before that, which shows that the search works, and neither afterwards.
    @Test func noCopyIsLeftOnceTheAppHasWipedItsOwn() throws {
        let number = UInt64.random(in: 1...UInt64.max)
        var needles = Needles()
        needles.add("secret", Self.bytes(of: number))
        needles.add("password", Self.bytes(of: ~number))
        var program = try SpawnedProgram("misuse-exerciser", ["wiping-\(number)"])
        #expect(program.line() == "holding")
        #expect(try needles.found(inMemoryOf: program.process) == ["secret", "password"])
        program.go()
        #expect(program.line() == "status 0")
        #expect(try needles.found(inMemoryOf: program.process) == [])
        program.go()
        #expect(program.lines() == ["outlived"])
        #expect(program.end() == 0)
    }
}
