/// One line that a pinentry sends, by the Assuan protocol. It may hold a secret, so it is parsed where it lies.
package enum PinentryLine: Hashable, Sendable {
    /// The command succeeded.
    case done
    /// The command failed, with this error code.
    case failed(UInt32)
    /// A part of what the user typed.
    case data
    /// A status or a comment, which needs no answer.
    case remark
    /// Anything else. This end of the protocol answers no inquiries.
    case malformed

    /// The most bytes that a line may have, without its end.
    package static let longest = 1000

    /// Parses a line without its end.
    package init(_ line: UnsafeRawBufferPointer) {
        guard line.count <= Self.longest else {
            self = .malformed
            return
        }
        if line.isWord("OK") {
            self = .done
        } else if line.isWord("ERR") {
            self = Self.code(line.dropFirst(4)).map { .failed($0) } ?? .malformed
        } else if line.isWord("D") {
            self = .data
        } else if line.isWord("S") || line.first == UInt8(ascii: "#") {
            self = .remark
        } else {
            self = .malformed
        }
    }

    private static func code(_ text: Slice<UnsafeRawBufferPointer>) -> UInt32? {
        var code: UInt32 = 0
        var digits = 0
        for byte in text {
            if byte == UInt8(ascii: " "), digits > 0 { break }
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, isTooLarge) = code.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(UInt32(byte - UInt8(ascii: "0")))
            if isTooLarge || overflows { return nil }
            code = sum
            digits += 1
        }
        return digits > 0 ? code : nil
    }

    /// The result of decoding a data line.
    package enum Decoded: Hashable, Sendable {
        /// This many bytes were decoded.
        case whole(Int)
        /// The text is longer than the room for it.
        case tooLong
        /// The text is not percent-encoded as it has to be.
        case malformed
    }

    /// Decodes the text of a data line straight into `room`, without another copy.
    package static func decode(_ line: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Decoded {
        var (place, count) = (2, 0)
        while place < line.count {
            var byte = line[place]
            place += 1
            if byte == UInt8(ascii: "%") {
                guard place + 2 <= line.count, let high = digit(line[place]), let low = digit(line[place + 1]) else {
                    return .malformed
                }
                byte = high << 4 | low
                place += 2
            }
            guard count < room.count else { return .tooLong }
            room[count] = byte
            count += 1
        }
        return .whole(count)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// Returns the command for a pinentry with this argument: its line ends and percent signs are encoded.
    package static func command(_ name: String, _ argument: String = "") -> String {
        if argument.isEmpty { return name }
        var line = name + " "
        for scalar in argument.unicodeScalars {
            if scalar.value < 0x20 || scalar == "%" || scalar.value == 0x7F {
                line += (scalar.value < 16 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

extension UnsafeRawBufferPointer {
    /// True if the line is this word, or begins with it and a space.
    fileprivate func isWord(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard count >= length, (0..<length).allSatisfy({ self[$0] == word.utf8Start[$0] }) else { return false }
        return count == length || self[length] == UInt8(ascii: " ")
    }
}
