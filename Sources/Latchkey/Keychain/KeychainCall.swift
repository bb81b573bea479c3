internal import AccessPolicy
internal import DeviceModel
package import SecretVault

/// One call of a keychain: its requester, its context, and the prompts that it allows.
struct KeychainCall {
    let requester: Requester
    /// The context that the caller passed. Without one, authentication ends with the call.
    var context: KeychainContext?
    var interaction: Interaction
    /// True if prompts offer no way out besides Cancel.
    let hidesFallback: Bool
    /// True if the caller named the item's access group.
    var namesGroup = false
    /// The reason to show in prompts, if the call has one of its own.
    var reason: String?
    /// True if an application password that the user types is tried on the call's other items as well. A context
    /// remembers the authentication of one item at a time, so the call would otherwise prompt for each item again.
    var keepsPassword = false
    /// True if the call is one of many that list items.
    var isListing = false
    /// The item that the call reads or uses; nil for other calls.
    var item: ItemReference?
    /// True if the call stores a new item, so that the application's own password is the one it is stored under.
    var stores = false

    init(
        _ keychain: Keychain, by requester: Requester?, in context: KeychainContext?,
        interaction: Interaction = .allowed
    ) {
        self.requester = requester ?? keychain.requester
        self.context = context
        let words = context?.words
        let isForbidden =
            interaction == .allowed && (words?.forbidsInteraction == true || self.requester.isInBackground)
        self.interaction = isForbidden ? .fail : interaction
        hidesFallback = words?.fallbackTitle?.isEmpty == true
    }

    /// True if the call's item needed the sensor the last time that it was used in the same context. Asking the sensor
    /// before the vault then saves one look at the item.
    var needsSensor: Bool { item.map { context?.isLastOfSensor($0) == true } ?? false }

    var words: KeychainContext.Wording {
        var words = context?.words ?? KeychainContext.Wording()
        if let reason { words.reason = reason }
        return words
    }

    /// Returns the caller that the vault sees for this call.
    func caller(_ sensor: SensorWord, _ turn: NegotiationTurn = .begins()) -> Caller {
        var caller = Caller(
            requester.name, program: requester.program, groups: requester.groups, namesGroup: namesGroup,
            app: requester.app, interaction: interaction, sensor: sensor, isListing: isListing, turn: turn)
        caller.isReusing = requester.isReusing
        return caller
    }
}

extension Keychain {
    /// The caller of accesses to files, which name none.
    package var caller: Caller { KeychainCall(self, by: nil, in: nil).caller(.believed) }
}
