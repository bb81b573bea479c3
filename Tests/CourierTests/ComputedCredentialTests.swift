import HTTPWire
import SodiumKit
import TestSupport
import Testing

@testable import Courier

/// Credentials of several fields, which a keeper computes from each request.
@Suite(.serialized) struct ComputedCredentialTests {
    private static let answer = "HTTP/1.1 200 OK\r\ncontent-length: 22\r\n\r\nSIGNED abc token-value"

    /// A keeper that puts in what it saw of the request, and the time.
    private static func keeper(token: String?) -> TestKeeper {
        TestKeeper(signing: { (request, bytes) throws(LoanRefusal) in
            let query = request.head.query.map { range in
                bytes.extracting(range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            }
            var values = "SIGNED \(query ?? "")"
            var fields = [OwnField("authorization", 0..<values.utf8.count)]
            for (name, value) in [("x-amz-date", "now"), ("x-amz-security-token", token ?? "")] where !value.isEmpty {
                fields.append(OwnField(name, values.utf8.count..<values.utf8.count + value.utf8.count))
                values += value
            }
            do throws(SodiumError) {
                let memory = try SecureBytes(values)
                if let token { return LentCredential(fields: fields, values: memory, secret: try SecureBytes(token)) }
                return LentCredential(fields: fields, values: memory, secret: nil)
            } catch { throw LoanRefusal(.failed, "No memory is left.") }
        })
    }

    private func ask(_ keeper: TestKeeper) throws -> (answer: String, rig: Rig) {
        let rig = try Rig(ScriptedServer(Self.answer), keeper: keeper)
        let fields =
            "Authorization: AWS4 placeholder\r\nX-Amz-Date: then\r\nX-Amz-Security-Token: placeholder\r\nX-Kept: 1\r\n"
        return (try rig.ask(rig.get("/v1/a?abc", fields)), rig)
    }

    /// Fields of the client give way to computed ones, and a signature is no secret.
    @Test func severalFieldsArePutIn() throws {
        let (answer, rig) = try ask(Self.keeper(token: nil))
        #expect(
            rig.server.requests == [
                "GET /v1/a?abc HTTP/1.1\r\nhost: api.example.com\r\nauthorization: SIGNED abc\r\nx-amz-date: now\r\n"
                    + "X-Kept: 1\r\naccept-encoding: identity\r\n\r\n"
            ])
        #expect(answer == Self.answer)
        #expect(rig.waitForEnds() && !rig.keeper.notes.contains(.echoed))
    }

    /// A token among them is taken out of answers, and nothing else is.
    @Test func aSecretAmongThemIsConcealed() throws {
        let (answer, rig) = try ask(Self.keeper(token: "token-value"))
        #expect(
            rig.server.requests[0].contains("\r\nx-amz-date: now\r\nx-amz-security-token: token-value\r\nX-Kept: 1\r\n")
        )
        #expect(answer == Self.answer.replacing("token-value", with: "***********"))
        #expect(rig.waitForEnds() && rig.keeper.notes.contains(.echoed))
    }
}
