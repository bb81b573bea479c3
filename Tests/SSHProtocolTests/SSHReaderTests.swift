import SSHProtocol
import Testing

@Suite struct SSHReaderTests {
    @Test("a message that is cut anywhere yields nothing that is not there")
    func cut() {
        let message: [UInt8] = [0, 0, 0, 3, 1, 2, 3, 7]
        for count in 0...message.count {
            var reader = SSHReader(message.prefix(count))
            #expect(reader.string() == (count >= 7 ? [1, 2, 3] : nil))
            if count >= 7 { #expect(reader.byte() == (count == 8 ? 7 : nil)) }
        }
    }
}
