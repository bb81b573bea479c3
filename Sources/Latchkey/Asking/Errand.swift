internal import AccessPolicy
internal import SecretVault

/// One call on its way: who asks, in which context, and how the holder may be asked.
struct Errand {
    /// What an application password that somebody types has to do.
    enum Password {
        /// Open the item that it is about.
        case opens
        /// Be chosen, for what is about to be stored.
        case isChosen
        /// Nothing: there is no item that could tell right from wrong.
        case isUnchecked
    }

    let requester: Requester
    /// The context that the caller brought; without one, what is proved ends with the call.
    var context: KeychainContext?
    var interaction: Interaction
    /// Whether the caller named the item's access group.
    var namesGroup = false
    /// What for the holder is asked, where the call says it itself.
    var reason: String?
    /// The policy that is evaluated, if one is.
    var policy: AuthenticationPolicy?
    var password = Password.opens
    /// Whether an application password that somebody types is tried on the other items of the call as well. A context has
    /// proved one for one item at a time, and would go on asking for the one before.
    var keepsPassword = false
    /// Whether it is one of many looks at what there is.
    var isListing = false
    /// Whether something new is to be stored, which the application's own password is then meant for.
    var stores = false

    init(
        _ keychain: Keychain, by requester: Requester?, in context: KeychainContext?,
        interaction: Interaction = .allowed, policy: AuthenticationPolicy? = nil
    ) {
        self.requester = requester ?? keychain.requester
        self.context = context
        let isForbidden = interaction == .allowed && context?.words.forbidsInteraction == true
        self.interaction = isForbidden ? .fail : interaction
        self.policy = policy
        if policy != nil { password = .isUnchecked }
    }

    var words: KeychainContext.Wording {
        var words = context?.words ?? KeychainContext.Wording()
        if let reason { words.reason = reason }
        return words
    }

    /// The call as the vault knows its callers.
    func caller(_ sensor: SensorWord) -> Caller {
        var caller = Caller(
            requester.name, groups: requester.groups, namesGroup: namesGroup, app: requester.app,
            interaction: interaction)
        caller.program = requester.program
        caller.sensor = sensor
        caller.isListing = isListing
        return caller
    }
}
