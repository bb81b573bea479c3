/// A use of a secret that no server gets: `latchkey lend` answers it in the sandbox.
package enum LocalUse: Hashable, Sendable {
    /// One-time codes, made of the secret.
    case codes
    /// Signatures with a key.
    case signatures
    /// Decryptions with a key.
    case decryptions
    /// The secret itself, in a form that a helper of a tool has. This is no use but a release.
    case release(ReleaseForm)
}

/// The form in which a secret is given to a tool that asks a helper for it.
package enum ReleaseForm: String, Hashable, Sendable, CaseIterable {
    /// The secret alone.
    case text
    /// The JSON of a `credential_process` of AWS, and of the credentials of its containers.
    case aws
    /// The credential of a plugin of kubectl.
    case kubectl
}
