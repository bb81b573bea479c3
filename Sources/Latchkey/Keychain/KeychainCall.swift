internal import AccessPolicy
internal import DeviceModel
internal import SecretVault

/// One call of a keychain: who calls, in which context, and how the user may be asked.
struct KeychainCall {
    let requester: Requester
    /// The context that the caller passed. Without one, what is proved ends with the call.
    var context: KeychainContext?
    var interaction: Interaction
    /// True if prompts show no way out besides Cancel.
    let hidesFallback: Bool
    /// True if the caller named the item's access group.
    var namesGroup = false
    /// The reason to show in prompts, if the call gives its own.
    var reason: String?
    /// True if an application password that the user types is tried on the other items of the call as well. A context holds the
    /// proof of one item at a time, and the call would go on asking for the one before.
    var keepsPassword = false
    /// True if it is one of many looks at what there is.
    var isListing = false
    /// True if it stores something new, which the application's own password is then meant for.
    var stores = false

    init(
        _ keychain: Keychain, by requester: Requester?, in context: KeychainContext?,
        interaction: Interaction = .allowed
    ) {
        self.requester = requester ?? keychain.requester
        self.context = context
        let words = context?.words
        let isForbidden = interaction == .allowed && words?.forbidsInteraction == true
        self.interaction = isForbidden ? .fail : interaction
        hidesFallback = words?.fallbackTitle?.isEmpty == true
    }

    var words: KeychainContext.Wording {
        var words = context?.words ?? KeychainContext.Wording()
        if let reason { words.reason = reason }
        return words
    }

    /// Returns the call as the vault knows its callers.
    func caller(_ sensor: SensorWord, _ turn: NegotiationTurn = .begins()) -> Caller {
        Caller(
            requester.name, program: requester.program, groups: requester.groups, namesGroup: namesGroup,
            app: requester.app, interaction: interaction, sensor: sensor, isListing: isListing, turn: turn)
    }
}
