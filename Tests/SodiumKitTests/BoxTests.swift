import SodiumKit
import Testing

@Suite struct BoxTests {
    @Test func whatIsSealedOpensUnderTheSameKeyAndContext() throws {
        let key = try Key.random()
        let message: [UInt8] = [1, 2, 3]
        let box = Box.seal(message.span.bytes, under: key, context: "a".utf8Span.span.bytes)
        let opened = try Box.open(box.span.bytes, under: key, context: "a".utf8Span.span.bytes)
        switch opened {
        case .some(let bytes): #expect(bytes.withBytes { $0.withUnsafeBytes { Array($0) } } == message)
        case .none: Issue.record("it did not open")
        }
    }
}
