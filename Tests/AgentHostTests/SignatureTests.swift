import Foundation
import HTTPWire
import LoanRules
import SodiumKit
import TestSupport
import Testing
import VaultService

/// Signatures of Version 4, compared with the published ones and with a second evaluator.
@Suite struct SignatureTests {
    private struct Published: Decodable {
        struct Case: Decodable {
            let name, request, canonical, toSign, authorization: String
        }
        let accessKey, secretKey, scope: String
        let cases: [Case]
    }

    private static let published = Result {
        try JSONDecoder().decode(Published.self, from: Data(contentsOf: file("aws4.json")))
    }

    private static func file(_ name: String) -> URL { Repository.root.appending(path: "Fixtures/lending/\(name)") }

    /// A request of the published cases: the text of a request, with a value that goes on in the next line.
    private struct Parsed {
        var request: SignableRequest

        init(_ text: String) throws {
            let parts = text.split(separator: "\n\n", maxSplits: 1).map(String.init)
            var lines = parts[0].split(separator: "\n").map(String.init)
            let start = lines.removeFirst()
            let method = start.prefix { $0 != " " }
            let target = start.dropFirst(method.count + 1).dropLast(" HTTP/1.1".count)
            let halves = target.split(separator: "?", maxSplits: 1).map(String.init)
            var fields: [(String, String)] = []
            for line in lines {
                if line.hasPrefix(" ") {
                    fields[fields.count - 1].1 += " " + line
                } else {
                    let colon = try #require(line.firstIndex(of: ":"))
                    fields.append((line[..<colon].lowercased(), String(line[line.index(after: colon)...])))
                }
            }
            let signed = fields.filter { !["host", "x-amz-date", "x-amz-security-token"].contains($0.0) }
            let body = parts.count > 1 ? parts[1] : ""
            request = SignableRequest(
                method: String(method), path: halves[0], query: halves.count > 1 ? halves[1] : "",
                fields: signed.map { SignableField($0.0, $0.1) },
                payload: SHA256.hexadecimal(body.utf8Span.span.bytes))
        }
    }

    @Test func everyPublishedRequestHasThePublishedSignature() throws {
        let published = try Self.published.get()
        let scope = try #require(SigningScope(published.scope))
        let server = try #require(WireOrigin(server: "https://example.amazonaws.com"))
        let time = SigningTime(secondsSince1970: 1_440_938_160)
        #expect(published.cases.count == 34)
        for one in published.cases {
            let parsed = try Parsed(one.request)
            // The token comes from elsewhere in one case, and is added behind the signature in another one.
            let line = one.canonical.split(separator: "\n").first { $0.hasPrefix("x-amz-security-token:") }
            let token = line.map { String($0.dropFirst("x-amz-security-token:".count)) } ?? ""
            let canonical = CanonicalRequest(
                parsed.request, to: server, at: time, in: scope, hasToken: !token.isEmpty)
            #expect(canonical.beginning + token + canonical.end == one.canonical, "\(one.name)")
            let hash = SHA256.hexadecimal(one.canonical.utf8Span.span.bytes)
            #expect(CanonicalRequest.textToSign(hash, at: time, in: scope) == one.toSign, "\(one.name)")
            let authorization = try RequestSigner(to: server, in: scope, at: time).authorization(
                for: parsed.request, by: published.secretKey.utf8Span.span.bytes, called: published.accessKey,
                token: token.utf8Span.span.bytes)
            #expect(authorization == one.authorization, "\(one.name)")
        }
    }

    // MARK: - A second evaluator

    private static let letters = Array(
        "abcXYZ019-._~!$&'()*,;=:@".map(String.init) + ["%20", "%2B", "%C3%A4", "%3d", "%41", "%25", "%7E"])

    private static func word(_ letters: [String], _ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in generator.pick(letters) }.joined()
    }

    /// Requests as clients send them through the strict parser, with every character that it passes on.
    private static func request(_ generator: inout SeededGenerator) throws -> (SignableRequest, body: String) {
        let segments = letters.filter { $0 != "." }
        let path =
            "/"
            + (0..<Int.random(in: 0...4, using: &generator)).map { _ in "a" + word(segments, &generator) }
            .joined(separator: "/")
        let pieces = letters.filter { !["&", "="].contains($0) }
        let query = (0..<Int.random(in: 0...5, using: &generator)).map { _ in
            word(pieces, &generator) + generator.pick(["", "=", "=" + word(pieces + ["="], &generator)])
        }.joined(separator: "&")
        let body = generator.pick(["", "hello", word(letters, &generator)])
        var fields = [SignableField("Content-Type", generator.pick(["text/plain", " a/b;  c=\"d\t  e\" "]))]
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let name = generator.pick([
                "X-Amz-Meta-A", "x-amz-acl", "x-amz-meta-b", "x-amz-tagging", "X-Amz-Storage-Class",
            ])
            fields.append(SignableField(name, generator.pick(["a", "  b  c ", "a,b", "", "z=1&y=2"])))
        }
        fields.append(SignableField("X-Other", "not signed"))
        fields.append(SignableField("x-amz-content-sha256", SHA256.hexadecimal(body.utf8Span.span.bytes)))
        let method = generator.pick(["GET", "PUT", "POST", "DELETE"])
        return (
            try SignableRequest(method: method, path: path, query: query, fields: fields, hasBody: true), body
        )
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "skipped: needs python3"))
    func aSecondEvaluatorTakesEverySignature() throws {
        let secret = "canary+secret/access0key"
        var generator = SeededGenerator(seed: DaySample.seed)
        var lines = ""
        let count = Soak.isExhaustive ? 10_000 : 400
        for number in 0..<count {
            let (request, body) = try Self.request(&generator)
            let scope = try #require(
                SigningScope(generator.pick(["s3 eu-central-1", "sts us-east-1", "dynamodb eu-west-1"])))
            let server = try #require(
                WireOrigin(server: generator.pick(["https://a.example.com", "https://b.test:8443"])))
            let time = SigningTime(secondsSince1970: Int64.random(in: 0..<4_000_000_000, using: &generator))
            let token = generator.pick(["", "session/token=="])
            let authorization = try RequestSigner(to: server, in: scope, at: time).authorization(
                for: request, by: secret.utf8Span.span.bytes, called: "AKID", token: token.utf8Span.span.bytes)
            var fields = request.fields.map { [$0.name, $0.value] }
            fields += [["host", String(decoding: server.authority, as: UTF8.self)], ["x-amz-date", time.text]]
            fields += [["authorization", authorization], ["x-other", "not signed"]]
            if !token.isEmpty { fields.append(["x-amz-security-token", token]) }
            // Some are changed behind the signature.
            let isChanged = number % 10 == 9
            let sent: [String: Any] = [
                "method": request.method,
                "target": request.path + (isChanged ? "x" : "") + (request.query.isEmpty ? "" : "?" + request.query),
                "fields": fields, "body": body,
            ]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: sent), as: UTF8.self) + "\n"
        }
        let folder = try TemporaryFolder()
        try lines.write(toFile: folder.path("requests"), atomically: true, encoding: .utf8)
        let run = try Command.run(
            [Self.file("sigv4.py").path, secret, folder.path("requests")], program: URL(filePath: "/usr/bin/python3"))
        let verdicts = run.output.split(separator: "\n")
        #expect(verdicts.count == count, "\(run.errors)")
        for (number, verdict) in verdicts.enumerated() {
            let isRight = verdict == "right"
            #expect(isRight == (number % 10 != 9), "\(number): \(verdict)")
        }
    }
}
