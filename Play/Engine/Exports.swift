// The functions that the page calls. Requests and replies are JSON in the engine's memory.

internal import PolicyAnswers

/// Tells the page how many policies a search of every policy has searched so far. The engine calls no other function outside of itself.
@_extern(wasm, module: "page", name: "report")
@_extern(c)
func report(_ policies: Int32)

nonisolated(unsafe) private var request = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
nonisolated(unsafe) private var reply: [UInt8] = []

/// Returns a place for a request of this many bytes.
@_cdecl("latchkey_request")
func place(count: Int) -> UnsafeMutablePointer<UInt8>? {
    request.deallocate()
    request = .allocate(capacity: count)
    return request.baseAddress
}

/// Answers the request in that place, and returns the number of bytes of the reply.
@_cdecl("latchkey_answer")
func answer() -> Int {
    reply = answer(Array(request)) { report(Int32(clamping: $0)) }
    return reply.count
}

/// Returns the place of the reply. It holds until the next request.
@_cdecl("latchkey_reply")
func replyPlace() -> UnsafePointer<UInt8>? { reply.withUnsafeBufferPointer { $0.baseAddress } }
