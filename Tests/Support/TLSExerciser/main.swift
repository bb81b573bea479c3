import Foundation
import SodiumKit
import TLSClient

// The process whose memory the tests of TLSClient search: `tls-exerciser <work> <port> <authorities> [<disguised canary>]`.
//
// The canary arrives with every bit flipped, and is uncovered in guarded memory. Any other copy that the test finds was left by
// TLS. For the authorities of the system, the third word is "system".

/// Tells the test that it can search, and waits until it has.
func letSearch(_ word: String) {
    print(word)
    fflush(nil)
    _ = readLine()
}

/// Returns the bytes that were disguised.
func uncover(_ digits: String) throws -> SecureBytes {
    let digits = digits.utf8.map { $0 > 0x60 ? $0 - 0x57 : $0 - 0x30 }
    var bytes = try SecureBytes(count: digits.count / 2)
    bytes.withMutableBytes { bytes in
        for place in bytes.indices { bytes[place] = ~(digits[2 * place] << 4 | digits[2 * place + 1]) }
    }
    return bytes
}

/// Reads the same bytes back.
func readBack(_ canary: borrowing SecureBytes, from connection: TLSConnection) throws {
    var echo = try SecureBytes(count: canary.count)
    try echo.withMutableBytes { bytes in
        var count = 0
        while count < bytes.count {
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
            let more = try connection.read(into: part, withinMilliseconds: 180_000)
            if more == 0 { throw TLSError.endedEarly }
            count += more
        }
    }
    guard echo.equals(canary) else { exit(65) }
}

/// Sends the canary several times, in pieces of different sizes, and releases it.
func send(_ canary: consuming SecureBytes, by connection: TLSConnection, isReadBack: Bool) throws {
    for _ in 0..<3 {
        try canary.withBytes { try connection.write($0, withinMilliseconds: 180_000) }
        if isReadBack { try readBack(canary, from: connection) }
    }
}

// Without this, the dynamic linker saves the vector registers on the stack at the first call of each function, with what the
// last copy of the canary has left in them.
if getenv("LD_BIND_NOW") == nil {
    setenv("LD_BIND_NOW", "1", 1)
    execv("/proc/self/exe", CommandLine.unsafeArgv)
    exit(71)
}
let arguments = CommandLine.arguments
guard arguments.count >= 4, let port = UInt16(arguments[2]) else { exit(64) }
let client = try TLSClient(trusting: arguments[3] == "system" ? .system : .file(arguments[3]))
let connection = try client.connect(to: "localhost", port: port, addresses: .any, withinMilliseconds: 180_000)
switch arguments[1] {
case "connect": print("connected")
case "hold":
    let canary = try uncover(arguments[4])
    letSearch("holding")
    try send(canary, by: connection, isReadBack: true)
case "exchange":
    try send(uncover(arguments[4]), by: connection, isReadBack: true)
    letSearch("exchanged")
    connection.close()
    letSearch("closed")
case "leave":
    // The answer comes in one record, of which only the first byte is read.
    try send(uncover(arguments[4]), by: connection, isReadBack: false)
    var first: [UInt8] = [0]
    _ = try first.withUnsafeMutableBytes { try connection.read(into: $0, withinMilliseconds: 180_000) }
    letSearch("unread")
    connection.close()
    letSearch("closed")
default: exit(64)
}
