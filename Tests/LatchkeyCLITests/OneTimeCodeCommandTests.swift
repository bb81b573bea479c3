import Foundation
import TestSupport
import Testing

/// `latchkey otp`, compared with an implementation in Python.
@Suite(.serialized, .waitsInOrder) struct OneTimeCodeCommandTests {
    private static let seed = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    private let vault: UnlockedVault

    init() throws { vault = try UnlockedVault() }

    /// Returns the code of a time by Python.
    private func code(at seconds: Int, _ hash: String, _ digits: Int, _ period: Int) throws -> String {
        let script =
            "import hmac, base64; h = hmac.new(base64.b32decode('\(Self.seed)'), (\(seconds)//\(period)).to_bytes(8, 'big'), "
            + "'\(hash)').digest(); o = h[-1] & 15; "
            + "print(str((int.from_bytes(h[o:o+4], 'big') & 0x7fffffff) % 10**\(digits)).zfill(\(digits)))"
        let run = try vault.sh("python3 -c \"\(script)\"")
        #expect(run.status == 0, "\(run)")
        return run.output
    }

    @Test(arguments: [("sha1", 6, 30), ("sha256", 8, 30), ("sha512", 7, 60)])
    func codesByTheClockAreThoseOfAnotherProgram(_ hash: String, _ digits: Int, _ period: Int) throws {
        try vault.set(
            "mail",
            "otpauth://totp/Mail:me?secret=\(Self.seed)&algorithm=\(hash.uppercased())&digits=\(digits)&period=\(period)"
        )
        let before = Int(Date().timeIntervalSince1970)
        let run = try vault.sh("latchkey otp mail")
        let after = Int(Date().timeIntervalSince1970)
        #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
        var possible: Set<String> = []
        for number in before / period...after / period {
            possible.insert(try code(at: number * period, hash, digits, period))
        }
        #expect(possible.contains(run.output), "\(run.output)")
    }

    /// Commands that share their output then mix no lines. Each write is one message of the socket.
    @Test(arguments: ["otp h", "get --newline h"]) func aLineIsWrittenAtOnce(_ words: String) throws {
        try vault.set("h", "otpauth://hotp/Shop:me?secret=\(Self.seed)&counter=0")
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let (output, reader) = (FileHandle(fileDescriptor: ends[0], closeOnDealloc: true), ends[1])
        defer { close(reader) }
        let process = Process()
        Command.set(process, toRun: Command.binary, words.split(separator: " ").map(String.init))
        process.environment = Command.environment(vault.environment)
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var message = [UInt8](repeating: 0, count: 4096)
        let count = recv(reader, &message, message.count, Int32(MSG_DONTWAIT))
        #expect(count > 1 && message[count - 1] == UInt8(ascii: "\n"), "\(count)")
    }
}
