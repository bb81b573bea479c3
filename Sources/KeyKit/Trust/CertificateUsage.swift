internal import COpenSSL

/// A use of a certificate, which demands more of a chain than that its signatures are valid.
public enum CertificateUsage: Hashable, Sendable {
    /// A TLS server proves that it is this host. Without a host, any server will do.
    case server(host: String?)
    /// A TLS client proves who it is.
    case client(host: String?)
}

/// The checks that Apple's system makes besides the verification of signatures and constraints.
struct ChainChecks {
    /// The chain, from the leaf.
    let links: [ChainLink]
    /// The time of the evaluation, in seconds since 1970.
    let time: Int64
    /// True if the chain ends with an anchor of the system.
    let isAnchoredInSystem: Bool

    /// The first second of the rules for the certificates of servers, on June 30, 2019.
    private static let startOfServerRules: Int64 = 1_561_935_600
    /// September 1, 2020.
    private static let startOfShorterValidity: Int64 = 1_598_918_400
    private static let day: Int64 = 24 * 3600

    func failures(_ usages: [CertificateUsage]) -> [TrustFailure] {
        var failures: [TrustFailure] = []
        for place in links.indices {
            if isShorter(place, rsa: 1024, ec: 160) { failures.append(TrustFailure(.brokenKey, at: place)) }
            if isSigned(place, with: NID_md2, NID_md4, NID_md5) {
                failures.append(TrustFailure(.brokenHash, at: place))
            }
            if lacksName(place) { failures.append(TrustFailure(.emptySubject, at: place)) }
            let certificate = links[place].certificate
            if time > certificate.notAfter { failures.append(TrustFailure(.expired, at: place)) }
            if time < certificate.notBefore { failures.append(TrustFailure(.notValidYet, at: place)) }
        }
        for usage in usages {
            switch usage {
            case .server(let host):
                failures += serverFailures() + purposeFailures(XKU_SSL_SERVER | XKU_SGC) + hostFailures(host)
            case .client(let host): failures += purposeFailures(XKU_SSL_CLIENT) + hostFailures(host)
            }
        }
        return failures
    }

    /// Returns the failures of a server's chain, besides those of its purpose and host.
    private func serverFailures() -> [TrustFailure] {
        var failures: [TrustFailure] = []
        for place in links.indices {
            if isShorter(place, rsa: 2048, ec: 256) || !isRSAOrEC(place) {
                failures.append(TrustFailure(.weakKey, at: place))
            }
            if isSigned(place, with: NID_md2, NID_md4, NID_md5, NID_sha1) {
                failures.append(TrustFailure(.weakHash, at: place))
            }
        }
        let (object, leaf) = (links[0].object, links[0].certificate)
        // Apple's rules for anchors of the system began before those for other anchors.
        if leaf.notBefore > Self.startOfServerRules || isAnchoredInSystem {
            let purposes = X509_get_extended_key_usage(object.pointer)
            if purposes == UInt32.max || purposes & UInt32(XKU_SSL_SERVER) == 0 {
                failures.append(TrustFailure(.otherPurpose, at: 0))
            }
            let isShort = isAnchoredInSystem && leaf.notBefore >= Self.startOfShorterValidity
            let longest = isShort ? 398 * Self.day : 825 * Self.day + 3600
            if leaf.notAfter - leaf.notBefore > longest { failures.append(TrustFailure(.validForTooLong, at: 0)) }
        }
        return failures
    }

    /// Returns the failures of a chain whose leaf, if it names purposes, has to name one of these. The same holds for
    /// each authority between the leaf and the last certificate.
    private func purposeFailures(_ wanted: Int32) -> [TrustFailure] {
        links.indices.dropLast(links.count > 1 ? 1 : 0).filter { place in
            let purposes = X509_get_extended_key_usage(links[place].object.pointer)
            return purposes != UInt32.max && purposes & UInt32(wanted | XKU_ANYEKU) == 0
        }
        .map { TrustFailure(.otherPurpose, at: $0) }
    }

    /// Returns the failure of a chain whose leaf is not for this host. Only alternative names count, not the subject.
    private func hostFailures(_ host: String?) -> [TrustFailure] {
        guard var host else { return [] }
        if host.hasSuffix(".") { host.removeLast() }
        return isFor(host) ? [] : [TrustFailure(.otherHost, at: 0)]
    }

    private func isFor(_ host: String) -> Bool {
        // To OpenSSL, a host with a leading dot means all of its subdomains.
        guard !host.isEmpty, !host.hasPrefix("."), !host.utf8.contains(0) else { return false }
        let leaf = links[0].object.pointer
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        if X509_check_host(leaf, host, host.utf8.count, flags, nil) == 1 { return true }
        // As in a URL, an address of IPv6 can stand in brackets.
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]") && host.contains(":")
        return X509_check_ip_asc(leaf, isBracketed ? String(host.dropFirst().dropLast()) : host, 0) == 1
    }

    /// Returns true if the key can be broken, or is of a type that is not known to be safe.
    private func isShorter(_ place: Int, rsa: Int32, ec: Int32) -> Bool {
        guard let key = X509_get0_pubkey(links[place].object.pointer) else { return true }
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA: return EVP_PKEY_get_bits(key) < rsa
        case EVP_PKEY_EC: return EVP_PKEY_get_bits(key) < ec
        case EVP_PKEY_ED25519, EVP_PKEY_ED448: return false
        default: return true
        }
    }

    private func isRSAOrEC(_ place: Int) -> Bool {
        guard let key = X509_get0_pubkey(links[place].object.pointer) else { return false }
        return [EVP_PKEY_RSA, EVP_PKEY_EC].contains(EVP_PKEY_get_base_id(key))
    }

    /// Returns true if another key signed the certificate with one of these hash functions.
    private func isSigned(_ place: Int, with hashes: Int32...) -> Bool {
        let link = links[place]
        guard let hash = link.signatureHash else { return false }
        return hashes.contains(hash) && !(link.looksSelfSigned && link.isSigned(by: link))
    }

    /// Returns true if the certificate has no subject, and nothing in its place.
    private func lacksName(_ place: Int) -> Bool {
        let (object, certificate) = (links[place].object, links[place].certificate)
        guard certificate.subject.isEmpty else { return false }
        let names = X509_get_ext_by_NID(object.pointer, NID_subject_alt_name, -1)
        guard names >= 0, X509_check_ca(object.pointer) == 0 else { return true }
        return X509_EXTENSION_get_critical(X509_get_ext(object.pointer, names)) != 1
    }
}
