package import AgentProtocol
internal import DeviceModel
internal import Latchkey
internal import SecretVault
internal import UserPresence

// The settings of a vault as its service has read them, and what they name.

/// The settings of a vault as they were read, and the bytes that they were read from.
package struct ReadSettings: Sendable {
    let bytes: [UInt8]
    let settings: VaultSettings
    /// False if the bytes are no settings. Another program may have written them, and the next passcode shows that.
    let isValid: Bool

    package init(_ bytes: [UInt8], of place: AgentPlace) {
        self.bytes = bytes
        let read = try? VaultSettings(sealed: bytes, ofVaultIn: place.vault)
        (settings, isValid) = (read ?? VaultSettings(), read != nil)
    }

    /// Creates settings that the owner has changed.
    init(_ settings: VaultSettings, for place: AgentPlace) {
        (self.settings, bytes, isValid) = (settings, settings.bytes(forVaultIn: place.vault), true)
    }
}

extension ReadSettings {
    /// Opens the keychain of the vault with the authenticators that its settings name.
    static func opened(_ place: AgentPlace) throws(AgentError) -> (Keychain, ReadSettings) {
        let probe: Keychain
        let settings: ReadSettings
        do throws(KeychainError) {
            probe = try Keychain.open(at: place.vault)
            settings = ReadSettings(try probe.settings, of: place)
        } catch { throw AgentError(error) }
        do throws(KeychainError) {
            return (try Keychain.open(at: place, after: probe, settings), settings)
        } catch { throw AgentError(error) }
    }
}

extension VaultSettings {
    /// The authenticator that checks the passcode besides the keys, and when it may be asked. A service in the vault is the
    /// one that Latchkey wrote there, whatever its file says. Any other one has to be root's.
    fileprivate func authenticator(
        _ place: AgentPlace
    ) -> (authenticator: any PasscodeAuthenticator, trust: AuthenticatorTrust)? {
        guard let pam else { return nil }
        if pam.folder == place.pamFolder { return (PAMAuthenticator.ofLogins, .always) }
        return (
            PAMAuthenticator(ofRoot: pam.service, folder: pam.folder),
            pam.folder == Self.systemPAM ? .always : .onceChecked
        )
    }
}

extension Keychain {
    /// Opens a vault with its sensor: a fake one, the one of the settings, or none. Closes `probe`, which was opened
    /// without one.
    fileprivate static func open(
        at place: AgentPlace, after probe: Keychain, _ read: ReadSettings
    ) throws(KeychainError) -> Keychain {
        let (kind, isFake) = (try probe.device.settings.sensor, probe.hasFakeSensor)
        probe.close()
        let sensor = isFake ? .fake : read.settings.sensorChoice(kind)
        let judge = read.settings.authenticator(place)
        // All clients may show a prompt at the same time.
        var patience = Patience()
        patience.prompts = 2 * WireLimits.clients
        return try openUnasked(
            at: place.vault, authenticator: judge?.authenticator, sensor: sensor, patience: patience,
            source: read.bytes,
            authenticatorTrust: judge?.trust ?? .always)
    }
}
