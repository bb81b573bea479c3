internal import ApplePlatform
internal import Latchkey
internal import SecretVault

/// The status that a call returns instead of success, with the reason.
struct StatusError: Error {
    let status: OSStatus
    /// The reason, for the observer. It names keys and classes, and never the values of attributes.
    let why: String

    init(_ status: OSStatus, _ why: String) {
        self.status = status
        self.why = why
    }

    init(planned status: Int) { self.init(OSStatus(truncatingIfNeeded: status), "planned by the test") }
}

extension StatusError {
    /// Creates the status for an error of the keychain (semantics 1.6).
    init(_ error: KeychainError) {
        switch error {
        case .key(let error), .vault(.key(let error)): self.init(error)
        case .denied, .request, .vault, .wrongPasscode, .sensor, .authenticator, .refused, .foreignContext, .wrongKind:
            self.init(Self.status(of: error), error.description)
        }
    }

    private static func status(of error: KeychainError) -> OSStatus {
        switch error {
        case .denied(let denied): denied.status?.status.rawValue ?? errSecAuthFailed
        // The class in the query was compared with the reference before, so here the item is of a class that the query
        // does not name.
        case .request(.otherClass): errSecItemNotFound
        case .request(let fault): fault.code
        case .vault(let error): status(of: error)
        case .wrongPasscode, .sensor, .authenticator, .refused, .foreignContext: errSecAuthFailed
        case .key: errSecParam
        case .wrongKind: errSecNotAvailable
        }
    }

    private static func status(of error: VaultError) -> OSStatus {
        switch error {
        case .damaged, .settingsChanged: errSecDecode
        case .full, .reserveUsedUp, .fileSizeLimit: errSecDiskFull
        case .readOnly, .notWritable: errSecReadOnly
        case .memory: errSecAllocate
        case .system: errSecIO
        case .secretTooLarge, .attributesTooLarge: errSecDataTooLarge
        case .passcodeLength, .key, .tooManyFields, .noFormerVersion: errSecParam
        case .foreignContext, .wrongRecoveryKey, .wrongPassphrase, .wrongRetirementCode: errSecAuthFailed
        case .noVault, .alreadyThere, .unsafePath, .noDeviceFile, .foreign, .newer, .ofVersion01, .olderCopy,
            .busy,
            .attemptUnderWay, .closed, .rowTaken, .auditFull, .auditSize, .realVault, .eventNeedsAuthentication,
            .notABackup, .notATransfer,
            .sensorUnasked:
            errSecNotAvailable
        }
    }
}
