extension SecureBytes {
    /// How many bytes a passcode may have: libpam takes no longer one, and no other authenticator should.
    public static let passcodeLengths = 1...511

    /// True if it can be a passcode: of such a length, and without a zero byte, which would end it for C so that another one
    /// would be checked.
    public var canBePasscode: Bool {
        Self.passcodeLengths.contains(count) && !withBytes { bytes in bytes.withUnsafeBytes { $0.contains(0) } }
    }
}
