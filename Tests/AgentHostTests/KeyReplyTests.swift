import AgentProtocol
import Testing

/// The replies about keys and encrypted folders keep their spelling, and each reads what it writes.
@Suite struct KeyReplyTests {
    private func expect<Reply: CallReply & Equatable>(_ reply: Reply, is text: String) throws {
        #expect(reply.head.text == text)
        var head = try WireObject(Array(text.utf8))
        var read = Reply()
        try read.read(from: &head)
        #expect(read == reply)
        try head.end()
    }

    @Test func repliesSurviveTheWire() throws {
        try expect(SignCall.Reply([0, 0xab, 0xff]), is: #"{"signature":"00abff"}"#)
        try expect(ListReply(count: 3, locked: 2, damaged: 1), is: #"{"count":3,"damaged":1,"locked":2}"#)
        try expect(EncryptedFoldersCall.Reply(count: 2, isSettled: false), is: #"{"count":2,"settled":false}"#)
        try expect(AddEncryptedFolderCall.Reply("0f"), is: #"{"identifier":"0f"}"#)
        try expect(DropFileCall.Reply(isMoved: true), is: #"{"moved":true}"#)
        try expect(
            SSHKeysCall.Reply(count: 0, folder: "/f", socket: nil), is: #"{"count":0,"folder":"/f"}"#)
        try expect(
            SSHKeysCall.Reply(count: 1, folder: "/f", socket: "/s"), is: #"{"count":1,"folder":"/f","socket":"/s"}"#)
        var entry = SSHKeyEntry()
        entry.name = "k"
        try expect(
            AddSSHKeyCall.Reply(entry, file: "/f/k.pub"),
            is: #"{"file":"/f/k.pub","key":{"comment":"","destinations":[],"key":"","name":"k"}}"#)
        var key = KeyEntry()
        key.name = "k"
        try expect(
            KeyReply(key, publicKey: [0x30, 0x0a]), is: #"{"key":\#(key.head.text),"public":"300a"}"#)
    }

    @Test(arguments: [#"{}"#, #"{"signature":"0"}"#, #"{"signature":"0g"}"#, #"{"signature":1}"#])
    func noOtherTextIsASignature(text: String) throws {
        var head = try WireObject(Array(text.utf8))
        var reply = SignCall.Reply()
        #expect(throws: WireError.self) { try reply.read(from: &head) }
    }
}
