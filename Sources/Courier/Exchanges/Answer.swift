internal import HTTPWire
internal import LinuxSystem
internal import SecretTools
internal import SodiumKit

/// The answer to one request, on its way from the server to the client.
///
/// It is read into guarded memory. Only bytes in which the secret is concealed leave that.
struct Answer: ~Copyable {
    /// Room for the largest head, and the bytes of a body that are read at once.
    private static let room = 64 * 1024

    private let use: LoanUse
    private let connection: Connection
    private let relay: Relay
    private var masker: Masker
    private var storage: SecureBytes
    private var filled = 0
    private var reader = ResponseReader()
    private var head: ResponseHead?
    private var hasToldOfEcho = false
    /// True once a byte of the answer went to the client.
    private(set) var hasWritten = false
    /// The bytes of the body that came so far.
    private(set) var bodyBytes: UInt64 = 0

    init(
        _ masker: consuming Masker, to use: LoanUse, over connection: Connection, for relay: Relay
    ) throws(ConnectionFault) {
        let storage = try guarding { () throws(SodiumError) in try SecureBytes(count: Self.room) }
        self.storage = storage
        self.masker = masker
        self.use = use
        self.connection = connection
        self.relay = relay
    }

    /// Waits for the first bytes.
    mutating func readFirst(
        _ link: borrowing UpstreamLink, withinMilliseconds limit: Int
    ) throws(ConnectionFault) {
        if filled == 0, try fill(link, withinMilliseconds: limit) == 0 { throw .broken(.interrupted) }
    }

    /// Returns true if the server has answered already, without waiting. It may do so before it has the whole body of the request.
    mutating func hasCome(_ link: borrowing UpstreamLink) throws(ConnectionFault) -> Bool {
        do throws(ConnectionFault) {
            if try fill(link, withinMilliseconds: 0) == 0 { throw .broken(.interrupted) }
        } catch {
            guard case .refused(UpstreamLink.tooSlow) = error else { throw error }
            return false
        }
        return try isHeadComplete()
    }

    /// Reads the head, and checks it. Interim answers are left out.
    mutating func readHead(
        isHead: Bool, _ link: borrowing UpstreamLink, withinMilliseconds limit: Int
    ) throws(ConnectionFault) -> CheckedResponse {
        let deadline = Deadline(Int32(clamping: limit))
        while try !isHeadComplete() {
            guard deadline.left > 1 else { throw .refused(UpstreamLink.tooSlow) }
            if try fill(link, withinMilliseconds: Int(deadline.left)) == 0 { throw .refused(.interrupted) }
        }
        guard let head else { throw .refused(.interrupted) }
        return try check(head, isHead: isHead)
    }

    /// Looks at the bytes that have come.
    private mutating func isHeadComplete() throws(ConnectionFault) -> Bool {
        if head != nil { return true }
        let filled = filled
        let progress = try storage.withBytes { (bytes) throws(ConnectionFault) in
            do throws(WireRefusal) { return try reader.read(bytes.extracting(first: filled)) } catch {
                throw .refused(Refusal(error))
            }
        }
        guard case .head(let head) = progress else { return false }
        self.head = head
        return true
    }

    private func check(_ head: ResponseHead, isHead: Bool) throws(ConnectionFault) -> CheckedResponse {
        let (rules, filled) = (relay.responseRules, filled)
        return try storage.withBytes { (bytes) throws(ConnectionFault) in
            try checking { () throws(WireRefusal) in
                try rules.check(head, isHead: isHead, in: bytes.extracting(first: filled))
            }
        }
    }

    /// Passes the head and the body on, each part as it comes.
    mutating func relay(
        _ checked: CheckedResponse, closing: Bool, _ link: borrowing UpstreamLink
    ) throws(ConnectionFault) {
        var output = FramedBody(checked.framing, .response)
        output.append(unframed: try concealedHead(checked, closing: closing))
        var reader = BodyReader(checked.framing, .response, limit: relay.service.bodyLimit)
        var place = checked.head.end
        var scrubbed: [UInt8] = []
        while true {
            switch try next(&reader, &place) {
            case .payload(let range):
                storage.withBytes { masker.feed($0.extracting(range), to: &scrubbed) }
            case .needsMore:
                try pass(&scrubbed, &output)
                filled = 0
                place = 0
                if try !fill(link, &scrubbed, &output) {
                    try checking { () throws(WireRefusal) in try reader.finish() }
                }
            case .end:
                masker.finish(to: &scrubbed)
                try append(scrubbed, &output)
                try output.finish()
                // The server has done its part. A client that leaves now does not end that connection.
                connection.detach()
                return try flush(&output)
            }
        }
    }

    /// Finds the next part of the body. Bytes behind its end are refused.
    private mutating func next(_ reader: inout BodyReader, _ place: inout Int) throws(ConnectionFault)
        -> BodyReader.Step
    {
        let filled = filled
        defer { bodyBytes = reader.count }
        return try storage.withBytes { (bytes) throws(ConnectionFault) in
            do throws(WireRefusal) {
                return try reader.next(in: bytes.extracting(first: filled), at: &place)
            } catch { throw .refused(Refusal(error)) }
        }
    }

    /// Returns the head for the client, without the secret.
    private mutating func concealedHead(_ checked: CheckedResponse, closing: Bool) throws(ConnectionFault) -> [UInt8] {
        let filled = filled
        let base = relay.base.authority.count
        let head = try storage.withBytes { (bytes) throws(ConnectionFault) in
            try GuardedHead(capacity: checked.head.end + base + 256) { (output) throws(WireRefusal) in
                try checked.write(closing: closing, from: bytes.extracting(first: filled), into: &output)
            }
        }
        return try head.withBytes { (bytes) throws(ConnectionFault) in
            var scrubbed: [UInt8] = []
            masker.feed(bytes, to: &scrubbed)
            masker.finish(to: &scrubbed)
            guard !masker.hasConcealed || HeadShape.agree(bytes, scrubbed.span.bytes) else {
                tellOfEcho()
                throw .refused(.hidden)
            }
            return scrubbed
        }
    }

    /// Reads more of the body. While the end of the last part may begin a secret, it waits only a moment before that is released.
    /// Returns false at the end of the connection.
    private mutating func fill(
        _ link: borrowing UpstreamLink, _ scrubbed: inout [UInt8], _ output: inout FramedBody
    ) throws(ConnectionFault) -> Bool {
        if masker.heldBack > 0 {
            do throws(ConnectionFault) {
                return try fill(link, withinMilliseconds: relay.limits.heldBackMilliseconds) > 0
            } catch {
                guard case .refused(UpstreamLink.tooSlow) = error else { throw error }
            }
            masker.releaseHeldBack(to: &scrubbed)
            try pass(&scrubbed, &output)
        }
        return try fill(link, withinMilliseconds: relay.limits.idleMilliseconds) > 0
    }

    /// Reads behind the bytes that are here.
    private mutating func fill(
        _ link: borrowing UpstreamLink, withinMilliseconds limit: Int
    ) throws(ConnectionFault) -> Int {
        let start = filled
        let count = try storage.withMutableBytes { (room) throws(ConnectionFault) in
            try link.read(into: UnsafeMutableRawBufferPointer(rebasing: room[start...]), withinMilliseconds: limit)
        }
        filled += count
        return count
    }

    /// Sends what is scrubbed as one part of the body.
    private mutating func pass(_ scrubbed: inout [UInt8], _ output: inout FramedBody) throws(ConnectionFault) {
        try append(scrubbed, &output)
        scrubbed.removeAll(keepingCapacity: true)
        try flush(&output)
    }

    private func append(_ scrubbed: [UInt8], _ output: inout FramedBody) throws(ConnectionFault) {
        do throws(WireRefusal) { try output.append(scrubbed.span.bytes) } catch { throw .refused(Refusal(error)) }
    }

    private mutating func flush(_ output: inout FramedBody) throws(ConnectionFault) {
        if masker.hasConcealed { tellOfEcho() }
        try output.flush { (bytes) throws(ConnectionFault) in
            hasWritten = true
            try connection.send(bytes, relay.limits)
        }
    }

    /// Tells the keeper once that the answer has the credential.
    private mutating func tellOfEcho() {
        if hasToldOfEcho { return }
        hasToldOfEcho = true
        relay.keeper.echoed(use)
    }
}
