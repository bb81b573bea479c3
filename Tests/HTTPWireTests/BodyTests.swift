import HTTPWire
import TestSupport
import Testing

/// Tests of the bytes behind a head.
@Suite struct BodyTests {
    /// Chunked bodies, with the payload and the bytes behind, or the reason.
    static let chunked: [(String, String?, RefusalReason?)] = [
        ("0\r\n\r\n", "|", nil), ("3\r\nabc\r\n0\r\n\r\n", "abc|", nil), ("3\r\nabc\r\n0\r\n\r\nGET", "abc|GET", nil),
        ("0003\r\nabc\r\n000\r\n\r\n", "abc|", nil),
        ("a\r\n0123456789\r\nA\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789|", nil),
        ("0\r\nA: b\r\nC:\r\n\r\n", "|", nil), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n|", nil),
        ("0\r\n\r", nil, .endsEarly), ("", nil, .endsEarly), ("3\r\nab", nil, .endsEarly),
        ("3\r\nabc\r\n", nil, .endsEarly),
        ("\r\n", nil, .chunkSizeForm), ("g\r\n", nil, .chunkSizeForm), ("-1\r\n", nil, .chunkSizeForm),
        ("+1\r\n", nil, .chunkSizeForm),
        ("0x3\r\nabc\r\n", nil, .chunkSizeForm), (" 3\r\nabc\r\n", nil, .chunkSizeForm),
        ("3 \r\nabc\r\n", nil, .chunkSizeForm),
        ("3;a=b\r\nabc\r\n", nil, .chunkExtension), ("3;\r\nabc\r\n", nil, .chunkExtension),
        ("0;\nGET", nil, .chunkExtension),
        ("3\nabc\r\n", nil, .lineFeedAlone), ("3\rabc\r\n", nil, .carriageReturnAlone),
        ("3\r\rabc", nil, .carriageReturnAlone),
        ("3\r\nabcd\r\n", nil, .chunkEnd), ("3\r\nabc\n0\r\n\r\n", nil, .chunkEnd), ("3\r\nabc\r0\r\n", nil, .chunkEnd),
        ("3\r\nabc0\r\n", nil, .chunkEnd), ("00000000000000003\r\n", nil, .chunkSizeForm),
        ("ffffffffffffffff\r\n", nil, .bodyTooLarge), ("8000000000000000\r\n", nil, .bodyTooLarge),
        ("10000000000000000\r\n", nil, .chunkSizeForm),
        ("100001\r\n", nil, .bodyTooLarge), ("100000\r\n", nil, .endsEarly),
        ("1\r\na\r\n100000\r\n", nil, .bodyTooLarge), ("1\r\na\r\nffffffffffffffff\r\n", nil, .bodyTooLarge),
        ("0\r\n A: b\r\n\r\n", nil, .trailerForm), ("0\r\n: b\r\n\r\n", nil, .trailerForm),
        ("0\r\nA : b\r\n\r\n", nil, .trailerForm),
        ("0\r\nA\r\n\r\n", nil, .trailerForm), ("0\r\nA: \0\r\n\r\n", nil, .trailerForm),
        ("0\r\nA: b\n\r\n", nil, .lineFeedAlone),
        ("0\r\n\n", nil, .lineFeedAlone), ("0\r\nA: b\rc\r\n", nil, .carriageReturnAlone),
        ("0\r\n\rx", nil, .carriageReturnAlone),
        ("0\r\nA: " + String(repeating: "b", count: 4096), nil, .trailerTooLarge),
        ("0\r\n" + String(repeating: "A: b\r\n", count: 700), nil, .trailerTooLarge),
    ]

    @Test(arguments: chunked) func aChunkedBody(text: String, payload: String?, reason: RefusalReason?) {
        let outcome = Sample.body([UInt8](latin: text))
        #expect(outcome.checked?.latin == payload && outcome.reason == reason, "\(outcome)")
    }

    /// A body in any two pieces is the body in one, and so is one that comes byte by byte.
    @Test(arguments: chunked) func aCutBodyIsTheSame(text: String, payload: String?, reason: RefusalReason?) {
        let bytes = [UInt8](latin: text)
        let whole = Sample.body(bytes)
        // Of a long one, the beginning and the end.
        for cut in 0...bytes.count where cut < 60 || bytes.count - cut < 20 {
            #expect(Sample.body(bytes, cuts: [cut]) == whole, "\(cut)")
        }
        if bytes.count < 200 { #expect(Sample.body(bytes, cuts: Array(0..<bytes.count)) == whole) }
    }

    @Test func aBodyOfALengthEndsThere() {
        let bytes = [UInt8](latin: "abcdef")
        #expect(Sample.body(bytes, .length(4)).checked?.latin == "abcd|ef")
        #expect(Sample.body(bytes, .length(6)).checked?.latin == "abcdef|")
        #expect(Sample.body(bytes, .length(7)).reason == .endsEarly)
        #expect(Sample.body(bytes, .length(0)).checked?.latin == "|abcdef")
        #expect(Sample.body(bytes, .length(4), .response).reason == .bytesAfterEnd)
        #expect(Sample.body(bytes, BodyFraming.none).checked?.latin == "|abcdef")
    }

    @Test func aBodyUntilTheEndHasABound() {
        let bytes = [UInt8](latin: "abcdef")
        #expect(Sample.body(bytes, cuts: [2], .untilClose, .response).checked?.latin == "abcdef")
        #expect(Sample.body(bytes, cuts: [2], .untilClose, .response, limit: 6).checked?.latin == "abcdef")
        #expect(Sample.body(bytes, cuts: [2], .untilClose, .response, limit: 5).reason == .bodyTooLarge)
    }

    /// What a writer writes, a reader reads, in pieces of any length.
    @Test func aWrittenBodyIsRead() throws {
        var random = SeededGenerator(seed: DaySample.seed)
        for _ in 0..<200 {
            let payload = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for framing in [BodyFraming.chunked, .length(UInt64(payload.count)), .untilClose] {
                var writer = BodyWriter(framing, .request)
                var bytes: [UInt8] = []
                var place = 0
                while place < payload.count {
                    let end = min(payload.count, place + Int.random(in: 1...40, using: &random))
                    bytes += try Sample.written { (output) throws(WireRefusal) in
                        try writer.open(end - place, into: &output)
                    }
                    bytes += payload[place..<end]
                    bytes += try Sample.written { (output) throws(WireRefusal) in try writer.close(into: &output) }
                    place = end
                }
                bytes += try Sample.written { (output) throws(WireRefusal) in try writer.finish(into: &output) }
                let read = framing == .untilClose ? .chunked : framing
                let cut = Int.random(in: 0...bytes.count, using: &random)
                #expect(Sample.body(bytes, cuts: [cut], read).checked == payload + [UInt8(ascii: "|")])
            }
        }
    }

    @Test func aWriterHoldsTheLengthOfItsHead() throws {
        let wrong = WireRefusal(.request, .bodyOtherLength)
        var output: [UInt8] = []
        func run(_ work: (inout OutputSpan<UInt8>) throws(WireRefusal) -> Void) throws {
            output = try Sample.written(100, work)
        }
        var short = BodyWriter(.length(3), .request)
        try run { (output) throws(WireRefusal) in
            try short.open(2, into: &output)
            try short.close(into: &output)
        }
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try short.finish(into: &output) } }
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try short.open(2, into: &output) } }
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try short.close(into: &output) } }
        #expect(output.isEmpty)
        var chunks = BodyWriter(.chunked, .request)
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try chunks.open(0, into: &output) } }
        try run { (output) throws(WireRefusal) in try chunks.open(1, into: &output) }
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try chunks.finish(into: &output) } }
        try run { (output) throws(WireRefusal) in
            try chunks.close(into: &output)
            try chunks.finish(into: &output)
        }
        #expect(output.latin == "\r\n0\r\n\r\n")
        #expect(throws: wrong) { try run { (output) throws(WireRefusal) in try chunks.open(1, into: &output) } }
    }
}
