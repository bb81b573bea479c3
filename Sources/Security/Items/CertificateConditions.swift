internal import Foundation
internal import KeyKit
internal import Latchkey
internal import SecretVault

/// The `kSecMatch…` keys of a query that concern certificates. Each needs the certificate itself, so the keychain cannot
/// search by them.
struct CertificateConditions {
    var policy: SecPolicy?
    /// The value of `kSecMatchIssuers`.
    var givenIssuers: Any?
    /// The normalized contents of the issuers, one of which has to stand above the certificate.
    private var issuers: [[UInt8]] = []
    var date: Date?
    var isTrusted = false
    var address: String?

    /// Reads the issuers of a query for items of this class. Anything but an array is ignored, and so is anything but a
    /// name in it.
    mutating func readIssuers(for itemClass: ItemClass?) {
        guard itemClass == .certificate || itemClass == .identity, let names = givenIssuers as? [Any] else { return }
        issuers = names.compactMap { name in
            (unwrapped(name) as? Data).flatMap { DistinguishedName.normalizedContent(of: Array($0)) }
        }
    }

    /// True if every certificate is wanted.
    var isEmpty: Bool { policy == nil && issuers.isEmpty && date == nil && !isTrusted && address == nil }

    /// Returns true if the certificate of an entry satisfies all conditions. The entry was found with its data and
    /// attributes.
    func accept(_ entry: FoundEntry, on keychain: Keychain) throws(StatusError) -> Bool {
        if !issuers.isEmpty {
            guard case .data(let issuer) = entry.stored?.description.attributes[kSecAttrIssuer as String],
                try hasIssuer(above: issuer, on: keychain)
            else { return false }
        }
        if policy == nil && date == nil && !isTrusted && address == nil { return true }
        return SecCertificate(entry).map(accept) ?? false
    }

    private func accept(_ leaf: SecCertificate) -> Bool {
        let certificate = leaf.certificate
        if let date {
            let time = date.timeIntervalSince1970
            guard certificate.notBefore != certificate.notAfter, time >= Double(certificate.notBefore),
                time <= Double(certificate.notAfter)
            else { return false }
        }
        if let policy {
            let trust = SecTrust([leaf], [policy])
            trust.change { state in
                state.date = date
                // Only the basic policy asks for a chain. The others look at the certificate alone.
                if policy.usage != nil { state.anchors = [leaf] }
            }
            if !trust.outcome.isTrusted { return false }
        }
        if isTrusted && !SecTrust([leaf], [SecPolicyCreateBasicX509()]).outcome.isTrusted { return false }
        guard let address else { return true }
        return certificate.emailAddresses.contains { $0.caseInsensitiveCompare(address) == .orderedSame }
    }

    /// The number of steps from an issuer to the one above it.
    private static let mostSteps = 10

    /// Returns true if one of the wanted issuers is this one, or stands above it in the keychain. It asks for each name
    /// once: several certificates of a name, each signed by several others, would make a great number of ways up.
    private func hasIssuer(above issuer: [UInt8], on keychain: Keychain) throws(StatusError) -> Bool {
        var known: Set = [issuer]
        var level = [issuer]
        for step in 0...Self.mostSteps {
            if level.contains(where: issuers.contains) { return true }
            if step == Self.mostSteps { break }
            var above: [[UInt8]] = []
            for name in level {
                for parent in try certificates(of: name, on: keychain) {
                    guard case .data(let next) = parent.description.attributes[kSecAttrIssuer as String] else {
                        continue
                    }
                    if known.insert(next).inserted { above.append(next) }
                }
            }
            level = above
        }
        return false
    }

    private func certificates(of subject: [UInt8], on keychain: Keychain) throws(StatusError) -> [StoredItem] {
        try onKeychain(
            keychain.inventory(of: ItemQuery(.certificate, [kSecAttrSubject as String: .data(subject)])).items)
    }
}

extension Query {
    /// Returns the items that a search finds, up to its limit. The conditions for certificates are checked afterwards.
    func find(
        _ search: ItemQuery, in context: KeychainContext?, on keychain: Keychain
    ) throws(StatusError) -> [FoundEntry] {
        let itemClass = search.itemClass ?? reference?.itemClass
        let isPlain = certificateConditions.isEmpty || !(itemClass == .certificate || itemClass == .identity)
        var all = search
        if !isPlain {
            all.limit = .all
            all.wanted.formUnion([.data, .attributes])
        }
        let entries = try onKeychain(keychain.find(all, in: context, interaction: use.interaction, where: isWanted))
        if isPlain { return entries }
        var wanted: [FoundEntry] = []
        for entry in entries where wanted.count < search.count {
            if try certificateConditions.accept(entry, on: keychain) { wanted.append(entry) }
        }
        if wanted.isEmpty { throw StatusError(errSecItemNotFound, "no certificate satisfies the kSecMatch… keys") }
        return wanted
    }
}
