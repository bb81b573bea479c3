import Foundation
import LoanRules
import Testing

/// Requests that can be signed, and those that cannot.
@Suite struct SignableRequestTests {
    private static let hash = String(repeating: "ab", count: 32)

    private func request(
        _ method: String = "PUT", _ path: String = "/site/a", _ query: String = "", _ fields: [SignableField] = [],
        hasBody: Bool = false
    ) throws -> SignableRequest {
        try SignableRequest(method: method, path: path, query: query, fields: fields, hasBody: hasBody)
    }

    @Test func itSignsTheFieldsOfTheService() throws {
        let fields = [
            SignableField("Content-Type", "a/b"), SignableField("X-Amz-Acl", "private"), SignableField("Accept", "*/*"),
            SignableField("X-Amz-Date", "20000101T000000Z"), SignableField("X-Amz-Security-Token", "t"),
            SignableField("X-Amz-Content-SHA256", Self.hash), SignableField("Host", "evil.example"),
        ]
        let request = try request("PUT", "/a", "b=c", fields, hasBody: true)
        #expect(request.fields.map(\.name) == ["content-type", "x-amz-acl", "x-amz-content-sha256"])
        #expect(request.payload == Self.hash)
        // The agent checks what the lender has checked, and comes to the same.
        let again = try SignableRequest(
            method: request.method, path: request.path, query: request.query, fields: request.fields, hasBody: true)
        #expect(again == request)
        #expect(try self.request().payload == SignableRequest.emptyPayload)
    }

    @Test func theRestIsRefusedWithItsReason() throws {
        let hash = SignableField("x-amz-content-sha256", Self.hash)
        func refused(_ fault: SigningFault, _ body: () throws -> SignableRequest) {
            #expect(throws: fault) { try body() }
        }
        for query in ["X-Amz-Signature=a", "a=b&x-amz-credential", "X%2dAmz-Date=1", "AWSAccessKeyId=a&Signature=b"] {
            refused(.signedQuery) { try request("GET", "/a", query) }
        }
        refused(.plusInQuery) { try request("GET", "/a", "a=b+c") }
        refused(.hashMissing) { try request(hasBody: true) }
        for text in ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"] {
            refused(.streaming) { try request("PUT", "/a", "", [SignableField("x-amz-content-sha256", text)]) }
        }
        refused(.unsigned) {
            try request("PUT", "/a", "", [SignableField("x-amz-content-sha256", "UNSIGNED-PAYLOAD")])
        }
        for fields in [[hash, hash], [SignableField("x-amz-content-sha256", "ABC")]] {
            refused(.hashForm) { try request("PUT", "/a", "", fields, hasBody: true) }
        }
        for text in ["", Self.hash.uppercased(), Self.hash + "a"] {
            refused(.hashForm) { try request("PUT", "/a", "", [SignableField("x-amz-content-sha256", text)]) }
        }
        refused(.copies) { try request("PUT", "/a", "", [SignableField("X-Amz-Copy-Source", "/other/secret")]) }
        refused(.fieldForm) { try request("PUT", "/a", "", [SignableField("x-amz-meta-a", "ä")]) }
        refused(.fieldForm) { try request("PUT", "/a", "", [SignableField("x-amz-meta-a", "a\nhost:evil")]) }
        refused(.fieldForm) { try request("PUT", "/a", "", [SignableField("x-amz-a:b", "c")]) }
        for (method, path, query) in [
            ("put", "/a", ""), ("", "/a", ""), ("GET\n/b", "/a", ""), ("GET", "a", ""), ("GET", "/a b", ""),
            ("GET", "/a?b", ""), ("GET", "/a\n", ""), ("GET", "/a", "b\n"), ("GET", "/ä", ""),
        ] {
            refused(.form) { try request(method, path, query) }
        }
        #expect(Set(SigningFault.allCases.map(\.description)).count == SigningFault.allCases.count)
    }

    @Test func aScopeHasOneText() {
        #expect(SigningScope("s3 eu-central-1")?.text == "s3 eu-central-1")
        #expect(SigningScope("s3 eu-central-1")?.text(on: "20261129") == "20261129/eu-central-1/s3/aws4_request")
        for text in ["", "s3", "s3 ", " s3 a", "s3 a b", "S3 eu", "s3/a eu", "s3  eu", "s3 eu\n"] {
            #expect(SigningScope(text) == nil, "\(text)")
        }
    }

    @Test func aTimeIsThatOfTheCalendar() {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        formatter.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        for seconds in [0, 951_782_400, 951_868_799, 1_440_938_160, 1_709_164_800, 1_735_689_599, 4_107_542_400]
            + Array(stride(from: Int64(1_700_000_000), to: 2_000_000_000, by: 1_234_567))
        {
            let time = SigningTime(secondsSince1970: seconds)
            #expect(time.text == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
            #expect(time.day == String(time.text.prefix(8)))
        }
    }
}
