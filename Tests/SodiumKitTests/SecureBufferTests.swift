import SodiumKit
import Testing

/// Secret bytes that grow, and their encodings as text.
@Suite struct SecureBufferTests {
    @Test(arguments: [0, 1, 31, 64, 4096]) func whatIsAddedStays(capacity: Int) throws {
        var buffer = try SecureBuffer(capacity: capacity)
        var expected: [UInt8] = []
        for round in 0..<300 {
            let more = counting(round, from: UInt8(truncatingIfNeeded: round))
            try buffer.append(more.span.bytes)
            try buffer.append(UInt8(truncatingIfNeeded: round))
            expected += more + [UInt8(truncatingIfNeeded: round)]
        }
        try buffer.fill(atLeast: 100) { room in
            room[0] = 7
            room[99] = 9
            return 100
        }
        expected += [7] + [UInt8](repeating: 0, count: 98) + [9]
        try buffer.fill(atLeast: 1) { _ in 0 }
        #expect(buffer.count == expected.count)
        buffer.withMutableBytes { $0[0] = 42 }
        expected[0] = 42
        let isSame = buffer.withBytes { $0.withUnsafeBytes { Array($0) == expected } }
        #expect(isSame)
        #expect(try buffer.bytes().array() == expected)
    }

    @Test func anEmptyOneHasNoBytes() throws { #expect(try SecureBuffer().bytes().count == 0) }

    @Test func encodingsAreTheUsualOnes() throws {
        let rows: [(bytes: [UInt8], hexadecimal: String, standard: String, url: String)] = [
            ([], "", "", ""), ([0], "00", "AA==", "AA"), ([0xFF, 0xEF], "ffef", "/+8=", "_-8"),
            (Array("foobar".utf8), "666f6f626172", "Zm9vYmFy", "Zm9vYmFy"),
        ]
        for row in rows {
            let bytes = try SecureBytes(copying: row.bytes.span.bytes)
            #expect(try bytes.hexadecimal().string() == row.hexadecimal)
            #expect(try bytes.base64(.standard).string() == row.standard)
            #expect(try bytes.base64(.url).string() == row.url)
        }
    }

    @Test func numbersBelowABoundAllOccur() {
        #expect(Sodium.uniform(below: 1) == 0)
        #expect(Set((0..<2000).map { _ in Sodium.uniform(below: 10) }) == Set(0..<10))
    }
}
