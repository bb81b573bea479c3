import Foundation
import Security
import TestSupport
import Testing

/// Exceptions from failures, and the choice about the network.
@Suite(.enabled(if: CertificateMaker.isThere, "skipped: needs the Debian package openssl"))
struct TrustExceptionTests {
    private let some = SomeCertificates.shared
    private static let late = Date(timeIntervalSince1970: 1_800_000_000)

    /// Returns a trust object of this chain.
    private func trust(
        _ host: String = "example.com", _ chain: [SecCertificate]? = nil, at date: Date = SomeCertificates.day
    ) throws -> SecTrust {
        var made: SecTrust?
        let chain = chain ?? [some.leaf, some.authority]
        SecTrustCreateWithCertificates(chain as CFArray, SecPolicyCreateSSL(true, host as CFString), &made)
        let trust = try #require(made)
        SecTrustSetAnchorCertificates(trust, [some.root] as CFArray)
        SecTrustSetVerifyDate(trust, date as CFDate)
        return trust
    }

    private func result(_ trust: SecTrust) -> SecTrustResultType {
        var result = SecTrustResultType.invalid
        SecTrustGetTrustResult(trust, &result)
        #expect(SecTrustEvaluateWithError(trust, nil) == [.proceed, .unspecified].contains(result))
        return result
    }

    /// An exception covers the failures that it was made for, on the certificates that it was made for, and no other.
    @Test func anExceptionCoversItsOwnFailures() throws {
        let circumstances: [(name: String, trust: SecTrust, failures: Set<String>)] = [
            ("valid", try trust(), []),
            ("host", try trust("example.org"), ["host"]),
            ("date", try trust(at: Self.late), ["date"]),
            ("both", try trust("example.org", at: Self.late), ["host", "date"]),
        ]
        for made in circumstances {
            let exceptions = try #require(SecTrustCopyExceptions(made.trust))
            for used in circumstances {
                #expect(SecTrustSetExceptions(used.trust, exceptions))
                let isCovered = used.failures.isSubset(of: made.failures)
                #expect(
                    result(used.trust) == (isCovered ? .proceed : .recoverableTrustFailure),
                    "\(made.name), \(used.name)")
                #expect(!SecTrustSetExceptions(used.trust, nil))
                #expect(result(used.trust) == (used.failures.isEmpty ? .unspecified : .recoverableTrustFailure))
            }
        }
    }

    @Test func theSameFailuresAreTheSameBytes() throws {
        func exceptions() throws -> Data {
            try #require(SecTrustCopyExceptions(try trust("example.org", at: Self.late))) as Data
        }
        let bytes = try exceptions()
        #expect(try exceptions() == bytes)
        let list = try #require(JSONSerialization.jsonObject(with: bytes) as? [[String: Any]])
        let statuses = list.compactMap { $0["statuses"] as? [Int] }
        #expect(statuses.contains { $0.count == 2 } && statuses == statuses.map { $0.sorted() })
    }

    @Test func theErrorNamesWhatNoExceptionCovers() throws {
        let exceptions = SecTrustCopyExceptions(try trust("example.org"))
        let both = try trust("example.org", at: Self.late)
        #expect(SecTrustSetExceptions(both, exceptions))
        var error: CFError?
        #expect(!SecTrustEvaluateWithError(both, &error))
        #expect(error?.code == Int(errSecCertificateExpired))
    }

    @Test func anExceptionIsForOneCertificate() throws {
        let exceptions = SecTrustCopyExceptions(try trust("example.org"))
        let renewed = try trust("example.org", [some.renewed, some.authority])
        #expect(!SecTrustSetExceptions(renewed, exceptions))
        #expect(result(renewed) == .recoverableTrustFailure)
        // The same leaf by another chain: what is wrong there was never accepted.
        let alone = try trust("example.org", [some.leaf])
        #expect(SecTrustSetExceptions(alone, exceptions))
        #expect(result(alone) == .recoverableTrustFailure)
    }

    @Test func aRootThatWasAcceptedIsTrusted() throws {
        let own = try trust("example.com", [some.person])
        #expect(result(own) == .recoverableTrustFailure)
        let exceptions = SecTrustCopyExceptions(own)
        let again = try trust("example.com", [some.person])
        #expect(SecTrustSetExceptions(again, exceptions) && result(again) == .proceed)
    }

    @Test func noFatalFailureIsIgnored() throws {
        let maker = try CertificateMaker()
        let der = try maker.make("weak", key: .rsa(512), days: ("20240101", "20260101"), [])
        let weak = try #require(SecCertificateCreateWithData(nil, der as CFData))
        let trust = try trust("example.com", [weak])
        #expect(result(trust) == .fatalTrustFailure)
        #expect(SecTrustSetExceptions(trust, SecTrustCopyExceptions(trust)))
        #expect(result(trust) == .fatalTrustFailure)
    }

    @Test func otherBytesAreNoExceptions() throws {
        let trust = try trust("example.org")
        let good = try #require(SecTrustCopyExceptions(trust)) as Data
        let deep = Data(repeating: UInt8(ascii: "["), count: 100_000)
        for bytes in [Data(), Data("[]".utf8), Data("{}".utf8), Data("[[]]".utf8), good.dropLast(), good + good, deep] {
            #expect(!SecTrustSetExceptions(trust, bytes as CFData))
            #expect(result(trust) == .recoverableTrustFailure)
        }
        #expect(SecTrustSetExceptions(trust, good as CFData) && result(trust) == .proceed)
    }

    @Test func theNetworkIsAllowedForConnectionsUntilTheAppChooses() throws {
        func isAllowed(_ trust: SecTrust) -> Bool {
            var (no, yes): (DarwinBoolean, DarwinBoolean) = (false, true)
            #expect(SecTrustGetNetworkFetchAllowed(trust, &no) == errSecSuccess)
            #expect(SecTrustGetNetworkFetchAllowed(trust, &yes) == errSecSuccess && yes == no)
            return no.boolValue
        }
        let trust = try trust()
        #expect(isAllowed(trust))
        SecTrustSetPolicies(trust, SecPolicyCreateBasicX509())
        #expect(!isAllowed(trust))
        for choice in [true, false] {
            #expect(SecTrustSetNetworkFetchAllowed(trust, choice) == errSecSuccess)
            #expect(isAllowed(trust) == choice)
            SecTrustSetPolicies(trust, [SecPolicyCreateSSL(true, nil)] as CFArray)
            #expect(isAllowed(trust) == choice)
        }
    }
}
