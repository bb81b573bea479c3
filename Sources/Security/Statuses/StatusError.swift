internal import AccessPolicy
internal import Latchkey
internal import SecretVault

/// Why a call is answered with something else than success.
struct StatusError: Error {
    let status: OSStatus
    /// For whoever watches. It names keys and classes, never what else they hold.
    let why: String

    init(_ status: OSStatus, _ why: String) {
        self.status = status
        self.why = why
    }

    /// The failure that a test has planned.
    init(planned status: Int) { self.init(OSStatus(truncatingIfNeeded: status), "planned by the test") }
}

extension StatusError {
    /// What the keychain says, in Apple's numbers (semantics 1.6).
    init(_ error: KeychainError) {
        self.init(Self.status(of: error), error.description)
    }

    private static func status(of error: KeychainError) -> OSStatus {
        switch error {
        case .denied(let denied): denied.status?.status.rawValue ?? errSecAuthFailed
        // What kSecClass says was compared with the reference before; there is no item of the class that it says itself.
        case .request(.otherClass): errSecItemNotFound
        case .request(let fault): fault.code
        case .vault(let error): status(of: error)
        case .wrongPasscode, .sensor, .authenticator, .refused, .foreignContext: errSecAuthFailed
        case .wrongKind: errSecNotAvailable
        }
    }

    private static func status(of error: VaultError) -> OSStatus {
        switch error {
        case .damaged: errSecDecode
        case .full, .fileSizeLimit: errSecDiskFull
        case .readOnly, .notWritable: errSecReadOnly
        case .memory: errSecAllocate
        case .system: errSecIO
        case .secretTooLarge, .attributesTooLarge: errSecDataTooLarge
        case .passcodeLength: errSecParam
        case .foreignContext, .wrongRecoveryKey, .wrongPassphrase: errSecAuthFailed
        case .noVault, .alreadyThere, .unsafePath, .noDeviceFile, .foreign, .newer, .olderCopy, .busy,
            .attemptUnderWay, .closed, .rowTaken, .auditFull, .auditSize, .realVault, .eventNeedsAuthentication,
            .notABackup,
            .sensorUnasked:
            errSecNotAvailable
        }
    }
}
