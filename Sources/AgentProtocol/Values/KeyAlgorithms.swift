/// The types of keys that the agent generates, by their names on the wire and on the command line.
package enum GeneratedKeyType: String, CaseIterable, Sendable {
    /// A key on P-256, the only type that the enclave has.
    case p256 = "p256"
    case p384 = "p384"
    case p521 = "p521"
    case rsa2048 = "rsa2048"
    case rsa3072 = "rsa3072"
    case rsa4096 = "rsa4096"
    /// An Ed25519 key, which only signs.
    case ed25519 = "ed25519"
}

/// The families of keys, by their names on the wire.
package enum KeyFamilyName: String, CaseIterable, Sendable {
    /// Keys on an elliptic curve.
    case ec = "ec"
    case rsa = "rsa"
    case ed25519 = "ed25519"
}

/// The algorithms of signatures, by their names on the wire and on the command line.
package enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case ecdsaSHA256 = "ecdsa-sha256"
    case ecdsaSHA384 = "ecdsa-sha384"
    case ecdsaSHA512 = "ecdsa-sha512"
    case rsaPKCS1SHA256 = "rsa-pkcs1-sha256"
    case rsaPKCS1SHA384 = "rsa-pkcs1-sha384"
    case rsaPKCS1SHA512 = "rsa-pkcs1-sha512"
    case rsaPSSSHA256 = "rsa-pss-sha256"
    case rsaPSSSHA384 = "rsa-pss-sha384"
    case rsaPSSSHA512 = "rsa-pss-sha512"
    /// Ed25519, which signs a message and no digest of it.
    case ed25519 = "ed25519"
}

/// The algorithms of encryption, by their names on the wire and on the command line.
package enum EncryptionAlgorithm: String, CaseIterable, Sendable {
    /// Apple's ECIES with SHA-256 and a vector that is derived.
    case eciesSHA256 = "ecies-sha256"
    /// Apple's ECIES with SHA-384 and a vector that is derived.
    case eciesSHA384 = "ecies-sha384"
    /// Apple's ECIES with SHA-512 and a vector that is derived.
    case eciesSHA512 = "ecies-sha512"
    /// RSA-OAEP with SHA-1, the default of OpenSSL's command.
    case rsaOAEPSHA1 = "rsa-oaep-sha1"
    case rsaOAEPSHA256 = "rsa-oaep-sha256"
    case rsaOAEPSHA384 = "rsa-oaep-sha384"
    case rsaOAEPSHA512 = "rsa-oaep-sha512"
    /// RSA-OAEP with SHA-256 of an AES key that encrypts the message.
    case rsaOAEPAESSHA256 = "rsa-oaep-aesgcm-sha256"
}
