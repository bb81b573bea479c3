extension SecureBytes {
    /// The permitted lengths of a passcode, in bytes. libpam accepts no longer one, so no authenticator does.
    public static let passcodeLengths = 1...511

    /// True if the bytes can be a passcode: they have a permitted length and no zero byte. C would end the passcode at
    /// a zero byte and check another one.
    public var canBePasscode: Bool {
        Self.passcodeLengths.contains(count) && !withBytes { bytes in bytes.withUnsafeBytes { $0.contains(0) } }
    }
}
