import HTTPWire
import TestSupport
import Testing

/// Laws that hold for any bytes: random heads, good, wrong and damaged.
@Suite struct WireLawTests {
    /// The heads of one test: ten million in all of `make soak`, and others each day.
    private static let count = (Soak.steps ?? 40_000) / seeds.count
    private static let seeds = Array(0..<8)

    private func heads(_ seed: Int) -> RandomHeads {
        RandomHeads(random: SeededGenerator(seed: (Soak.isExhaustive ? Soak.seed : DaySample.seed) << 8 | UInt64(seed)))
    }

    @Test(arguments: seeds) func aSecondEvaluatorPassesTheSameRequestsOn(seed: Int) throws {
        var heads = heads(seed)
        var accepted = 0
        for _ in 0..<Self.count {
            let bytes = heads.request()
            let outcome = Sample.request(bytes)
            let written = try outcome.checked.map { try Sample.written($0, bytes) }
            guard written == SlowEvaluator.request(bytes) else {
                Issue.record(
                    "\(bytes.latin.debugDescription): \(outcome), \(SlowEvaluator.request(bytes)?.latin.debugDescription ?? "nil")"
                )
                return
            }
            if written != nil { accepted += 1 }
        }
        // Both answers are common, or the law says little.
        #expect(accepted > Self.count / 5 && accepted < Self.count * 4 / 5, "\(accepted) of \(Self.count)")
    }

    @Test(arguments: seeds) func aSecondEvaluatorPassesTheSameResponsesOn(seed: Int) throws {
        var heads = heads(seed)
        var accepted = 0
        for _ in 0..<Self.count {
            let bytes = heads.response()
            // The second evaluator knows no interim answers, and damage can make one.
            if bytes.starts(with: [UInt8](latin: "HTTP/1.1 1")) { continue }
            let outcome = Sample.response(bytes)
            let written = try outcome.checked.map { try Sample.written($0, bytes) }
            guard written == SlowEvaluator.response(bytes) else {
                Issue.record(
                    "\(bytes.latin.debugDescription): \(outcome), \(SlowEvaluator.response(bytes)?.latin.debugDescription ?? "nil")"
                )
                return
            }
            if written != nil { accepted += 1 }
        }
        #expect(accepted > Self.count / 5 && accepted < Self.count * 4 / 5, "\(accepted) of \(Self.count)")
    }

    @Test(arguments: seeds) func aSecondEvaluatorReadsTheSameChunks(seed: Int) {
        var heads = heads(seed)
        var accepted = 0
        for _ in 0..<Self.count {
            let bytes = heads.chunks()
            let expected = SlowEvaluator.chunks(bytes).map { $0.payload + [UInt8(ascii: "|")] + $0.rest }
            guard Sample.body(bytes).checked == expected else {
                Issue.record(
                    "\(bytes.latin.debugDescription): \(Sample.body(bytes)), \(expected?.latin.debugDescription ?? "nil")"
                )
                return
            }
            if expected != nil { accepted += 1 }
        }
        #expect(accepted > Self.count / 5 && accepted < Self.count * 9 / 10, "\(accepted) of \(Self.count)")
    }

    /// A head that was written is accepted, and written again it is the same: nothing in it has another reading.
    @Test(arguments: seeds) func aWrittenHeadIsReadAsItWasChecked(seed: Int) throws {
        var heads = heads(seed)
        for _ in 0..<Self.count / 2 {
            let request = heads.request()
            if let checked = Sample.request(request).checked {
                let written = try Sample.written(checked, request)
                let again = try #require(Sample.request(written).checked, "\(request.latin.debugDescription)")
                #expect(try Sample.written(again, written) == written)
                #expect(
                    again.head.end == written.count && again.framing == checked.framing
                        && again.fields.count == checked.fields.count)
                #expect(again.credentials.map { written.latin($0.value) } == ["Bearer real"])
            }
            let response = heads.response()
            if let checked = Sample.response(response).checked {
                let written = try Sample.written(checked, response)
                // A client may stand behind another proxy, whose server is this one.
                let again = try #require(
                    Sample.response(written, from: Sample.proxy).checked, "\(response.latin.debugDescription)")
                #expect(try Sample.written(again, written) == written)
                #expect(again.head.end == written.count && again.head.status == checked.head.status)
            }
        }
    }

    @Test(arguments: seeds) func anyPiecesGiveWhatTheWholeGives(seed: Int) {
        var heads = heads(seed)
        for _ in 0..<Self.count / 4 {
            let request = heads.request()
            #expect(
                Sample.request(request, cuts: heads.cuts(request.count)) == Sample.request(request),
                "\(request.latin.debugDescription)")
            let response = heads.response()
            #expect(
                Sample.response(response, cuts: heads.cuts(response.count)) == Sample.response(response),
                "\(response.latin.debugDescription)")
            let body = heads.chunks()
            for framing in [BodyFraming.chunked, .length(20), .untilClose] {
                let side = framing == .untilClose ? WireSide.response : .request
                #expect(
                    Sample.body(body, cuts: heads.cuts(body.count), framing, side) == Sample.body(body, framing, side),
                    "\(body.latin.debugDescription)")
            }
        }
    }

    /// Nothing that a reader says leads outside of its buffer. A place outside would end the process.
    @Test(arguments: seeds) func noiseIsReadInsideOfItsBuffer(seed: Int) throws {
        var heads = heads(seed)
        for _ in 0..<Self.count / 2 {
            let noise = heads.noise()
            for bytes in [
                noise, [UInt8](latin: "GET /") + noise, [UInt8](latin: "GET / HTTP/1.1\r\nHost: a\r\n") + noise,
            ] {
                if let checked = Sample.request(bytes).checked { _ = try Sample.written(checked, bytes) }
            }
            for bytes in [noise, [UInt8](latin: "HTTP/1.1 200 OK\r\nLocation: ") + noise] {
                if let checked = Sample.response(bytes).checked { _ = try Sample.written(checked, bytes) }
            }
            _ = Sample.body(noise)
        }
    }
}
