internal import HTTPWire
internal import LinuxSystem

/// The bytes that a client sends: heads of requests, and their bodies. It holds no secret of the owner.
struct ClientInput: ~Copyable {
    /// Room for the largest head, and for the beginning of a body behind it.
    private static let room = 48 * 1024

    private let socket: ClientSocket
    private let idleMilliseconds: Int
    private let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
    private var filled = 0
    /// The first byte that is not used yet.
    private var place = 0
    /// The head of the present request, if it was kept.
    private var head: [UInt8]?

    init(_ socket: ClientSocket, idleMilliseconds: Int) {
        self.socket = socket
        self.idleMilliseconds = idleMilliseconds
    }

    /// True if bytes behind the last request, or of the present body, have come already.
    var hasMore: Bool { place < filled }

    deinit { storage.deallocate() }

    /// Lends the bytes that came. The head of a request is there until the first byte of its body is read.
    borrowing func withBytes<Result: ~Copyable>(
        _ body: (RawSpan) throws(ConnectionFault) -> Result
    ) throws(ConnectionFault) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: storage[..<filled]).bytes)
    }

    /// Reads a head. Returns nil if the client ends the connection before it.
    mutating func readHead() throws(ConnectionFault) -> RequestHead? {
        moveToFront()
        head = nil
        var reader = RequestReader()
        var deadline: Deadline?
        while true {
            if filled > 0 {
                if deadline == nil { deadline = Deadline(Int32(clamping: idleMilliseconds)) }
                let progress = try withBytes { (bytes) throws(ConnectionFault) in
                    try checking { () throws(WireRefusal) in try reader.read(bytes) }
                }
                if case .head(let head) = progress {
                    place = head.end
                    return head
                }
            }
            let limit = deadline.map { Int($0.left) } ?? idleMilliseconds
            let isBetween = filled == 0
            do throws(ClientFault) {
                if try fill(withinMilliseconds: limit) > 0 { continue }
            } catch .tooSlow where !isBetween {
                throw .refused(Refusal(WireRefusal(.request, .tooSlow)))
            } catch {
                return nil
            }
            if isBetween { return nil }
            throw .refused(Refusal(WireRefusal(.request, .endsEarly)))
        }
    }

    /// Lends the head of a request, also when a part of its body was read.
    borrowing func withHead<Result: ~Copyable>(
        _ body: (RawSpan) throws(ConnectionFault) -> Result
    ) throws(ConnectionFault) -> Result {
        guard let head else { return try withBytes(body) }
        return try body(head.span.bytes)
    }

    /// Keeps a copy of the head. It has nothing but what the client sent.
    mutating func keep(_ head: RequestHead) {
        self.head = Array(UnsafeRawBufferPointer(rebasing: storage[..<head.end]))
    }

    /// Lends the next part of a body to `take`, and waits for it. Returns false at the end of the body.
    mutating func readBody(
        _ reader: inout BodyReader, _ take: (RawSpan) throws(WireRefusal) -> Void
    ) throws(ConnectionFault) -> Bool {
        while true {
            var next = place
            let step = try withBytes { (bytes) throws(ConnectionFault) in
                do throws(WireRefusal) {
                    let step = try reader.next(in: bytes, at: &next)
                    if case .payload(let range) = step { try take(bytes.extracting(range)) }
                    return step
                } catch { throw .refused(Refusal(error)) }
            }
            place = next
            switch step {
            case .payload: return true
            case .end: return false
            case .needsMore:
                (place, filled) = (0, 0)
                do throws(ClientFault) {
                    if try fill(withinMilliseconds: idleMilliseconds) == 0 { throw ClientFault.gone }
                } catch .tooSlow {
                    throw .refused(Refusal(WireRefusal(.request, .tooSlow)))
                } catch {
                    throw .clientGone
                }
            }
        }
    }

    private mutating func fill(withinMilliseconds limit: Int) throws(ClientFault) -> Int {
        let rest = UnsafeMutableRawBufferPointer(rebasing: storage[filled...])
        let count = try socket.read(into: rest, withinMilliseconds: limit)
        filled += count
        return count
    }

    /// Moves the bytes that are not used yet to the beginning, where a head has to begin.
    private mutating func moveToFront() {
        if place > 0 { storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[place..<filled])) }
        (place, filled) = (0, filled - place)
    }
}
