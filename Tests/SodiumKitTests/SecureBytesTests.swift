import SodiumKit
import Testing

/// Secret bytes, at every size where their memory changes.
@Suite struct SecureBytesTests {
    private static let sizes = [
        0, 1, 31, 32, 33, 63, 64, 65, 4095, 4096, 4097, SecureBytes.largestLocked - 1, SecureBytes.largestLocked,
        SecureBytes.largestLocked + 1, 16 * 1024 * 1024,
    ]

    @Test(arguments: sizes) func newOnesAreZeroAndHoldWhatIsWritten(count: Int) throws {
        var bytes = try SecureBytes(count: count)
        #expect(bytes.count == count)
        #expect(bytes.isFilled(with: 0) == true)
        bytes.fill(with: 0xA5)
        #expect(bytes.isFilled(with: 0xA5) == true)
        let copy = try bytes.copy()
        #expect(copy.equals(bytes) == true)
        #expect(copy.count == count)
        bytes.fill(with: 0)
        #expect(copy.isFilled(with: 0xA5) == true)
    }

    @Test(arguments: sizes) func theyAreEqualOnlyWhenEveryByteIs(count: Int) throws {
        var one = try SecureBytes(count: count)
        one.fill(with: 7)
        var other = try one.copy()
        #expect(one.equals(other) == true)
        #expect(try one.equals(SecureBytes(count: count + 1)) == false)
        guard count > 0 else { return }
        for place in [0, count / 2, count - 1] {
            other.withMutableBytes { $0[place] ^= 1 }
            #expect(one.equals(other) == false)
            other.withMutableBytes { $0[place] ^= 1 }
        }
        #expect(one.equals(other) == true)
    }

    @Test(arguments: sizes) func aPrefixIsTheFirstOfThem(count: Int) throws {
        for wanted in Set([0, min(1, count), count / 2, max(0, count - 1), count]) {
            var bytes = try SecureBytes(count: count)
            bytes.withMutableBytes { for place in $0.indices { $0[place] = UInt8(truncatingIfNeeded: place) } }
            let prefix = try bytes.prefix(wanted)
            #expect(prefix.count == wanted)
            let isRight = prefix.withBytes { bytes in
                bytes.withUnsafeBytes { bytes in
                    bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0) }
                }
            }
            #expect(isRight)
        }
    }

    @Test func textsBecomeTheirBytes() throws {
        for text in ["", "a", "пароль", String(repeating: "long ", count: 20_000)] {
            #expect(try SecureBytes(text).array() == Array(text.utf8))
            #expect(try SecureBytes(copying: text.utf8Span.span.bytes).array() == Array(text.utf8))
        }
    }

    @Test func comparingLooksAtLengthsAndBytes() {
        #expect(Sodium.areEqual(RawSpan(), RawSpan()) == true)
        #expect(Sodium.areEqual(counting(1).span.bytes, RawSpan()) == false)
        #expect(Sodium.areEqual(counting(9).span.bytes, counting(9).span.bytes) == true)
        #expect(Sodium.areEqual(counting(9).span.bytes, counting(9, from: 1).span.bytes) == false)
    }
}
