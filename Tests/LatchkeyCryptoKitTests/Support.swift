import Foundation
import LatchkeyCryptoKit
import LatchkeyTesting

// Helpers for the tests in this folder.

/// Returns the bytes of these hexadecimal digits. Other characters are ignored.
func data(_ text: String) -> Data {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    return Data(stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
}

/// Returns the bytes as hexadecimal digits.
func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

/// Returns the same byte several times.
func repeated(_ byte: UInt8, _ count: Int) -> Data { Data(repeating: byte, count: count) }

/// Returns bytes that count up.
func counting(_ count: Int, from first: UInt8 = 0) -> Data {
    Data((0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) })
}

/// Bytes in two pieces, as a network library hands them out.
struct Pieces: DataProtocol {
    let regions: [Data]

    init(_ data: Data) { regions = [data.prefix(data.count / 2), data.dropFirst(data.count / 2)] }

    private var whole: Data { regions.reduce(Data(), +) }
    var startIndex: Int { 0 }
    var endIndex: Int { regions.reduce(0) { $0 + $1.count } }
    subscript(place: Int) -> UInt8 { whole[place] }
    subscript(range: Range<Int>) -> Data { whole[range] }
    func index(after place: Int) -> Int { place + 1 }
    func index(before place: Int) -> Int { place - 1 }
}
