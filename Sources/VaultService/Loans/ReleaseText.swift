internal import AgentProtocol
internal import Glibc
internal import LoanRules
internal import SecretVault
internal import SodiumKit

/// The text in which a secret itself is given out, made in guarded memory.
struct ReleaseText {
    private let form: ReleaseForm

    /// The fields of a secret that a form has beside its value.
    private enum Field: String, CaseIterable {
        case accessKey = "access-key"
        case sessionToken = "session-token"
        case expiration
    }

    init(_ form: ReleaseForm) { self.form = form }

    /// The part of the secret that the text is made of.
    var part: SecretPart {
        switch form {
        case .text, .kubectl: .value(version: 0)
        case .aws: .valueWith(fields: Field.allCases.map(\.rawValue), version: 0)
        }
    }

    /// Makes the text at a time, in seconds since 1970.
    func made(of secret: consuming SecureBytes?, named name: String, at now: Int64) throws(AgentError) -> SecureBytes {
        guard let secret, secret.count > 0 else {
            throw AgentError(.request, "there is no secret to give out: \(name) is empty")
        }
        guard secret.count <= WireLimits.typed else {
            throw AgentError(.request, "\(name) has \(secret.count) bytes, which is too long to be given out")
        }
        do {
            switch form {
            case .text: return secret
            case .kubectl:
                let beginning = #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"#
                return try secret.withBytes { secret in
                    try secret.withUnsafeBytes { secret in
                        try Self.text(beginning, [("token", secret)], "}}\n", of: name)
                    }
                }
            case .aws:
                guard let parts = SecretParts(secret, fields: Field.allCases.map(\.rawValue)) else {
                    throw AgentError(.vault, "the fields of \(name) cannot be read")
                }
                return try parts.withParts { value, fields in
                    try Self.credentials(value, fields.map(\.value), of: name, at: now)
                }
            }
        } catch let error as AgentError { throw error } catch { throw AgentError(.agent, "\(error)") }
    }

    /// Returns credentials as `credential_process` has them, with the names of container credentials beside those.
    private static func credentials(
        _ value: UnsafeRawBufferPointer, _ fields: [UnsafeRawBufferPointer], of name: String, at now: Int64
    ) throws -> SecureBytes {
        let (key, token, end) = (fields[0], fields[1], fields[2])
        guard !value.isEmpty, !key.isEmpty else {
            throw AgentError(
                .request,
                "\(name) has no field \(Field.accessKey.rawValue): save the identifier of its key with `latchkey edit \(name) --field \(Field.accessKey.rawValue)`"
            )
        }
        // Clients ask again before this time. Those of containers want one in any case.
        let known = String(decoding: end, as: UTF8.self)
        guard end.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) else {
            throw AgentError(.request, "the field \(Field.expiration.rawValue) of \(name) is no time")
        }
        var members = [("AccessKeyId", key), ("SecretAccessKey", value)]
        if !token.isEmpty { members.append(("SessionToken", token)) }
        members.append(("Token", token))
        return try text(
            #"{"Version":1,"Expiration":"\#(end.isEmpty ? date(now + 3600) : known)","#, members, "}\n", of: name)
    }

    /// Returns a time as `2026-11-29T12:00:00Z`.
    private static func date(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    /// Returns a beginning, members of JSON, and an end.
    private static func text(
        _ beginning: String, _ members: [(name: String, value: UnsafeRawBufferPointer)], _ end: String, of name: String
    ) throws -> SecureBytes {
        var text = try SecureBuffer(capacity: 1024)
        try text.append(beginning.utf8Span.span.bytes)
        for (place, member) in members.enumerated() {
            try text.append("\(place == 0 ? "" : ",")\"\(member.name)\":\"".utf8Span.span.bytes)
            for byte in member.value {
                // In these forms nothing but ASCII makes sense, and so no text is given out broken.
                guard 0x20...0x7E ~= byte else {
                    throw AgentError(
                        .request, "\(name) cannot be given out in this form: it is not one line of ASCII")
                }
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { try text.append(UInt8(ascii: "\\")) }
                try text.append(byte)
            }
            try text.append("\"".utf8Span.span.bytes)
        }
        try text.append(end.utf8Span.span.bytes)
        return try text.bytes()
    }
}
