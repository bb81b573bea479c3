package import AccessPolicy
internal import DeviceModel
package import Latchkey
package import SecretVault

/// One thing that happens, or is asked for, with what is expected of it.
package struct Step: Sendable {
    /// What is done.
    package var deed: Deed
    /// Where it stands.
    package var position: Position
    /// Who does it, or is asked; nil for whoever holds the device.
    package var by: String?
    /// How often.
    package var times = 1
    /// What is expected; nil for that it succeeds.
    package var expectation: Expectation?
    /// The step in the words of the document.
    package var words: String
}

/// What is done in a step.
package enum Deed: Sendable {
    case request(ItemRequest)
    case evaluate(Evaluation)
    case invalidate(context: String)
    case createControl(Accessibility, AccessControlFlags)
    case event(StageEvent)
    case hold(String)
    /// Nothing is done: only looked.
    case look
}

/// How an app asks.
package struct Asking: Sendable {
    package var app: Int?
    package var context: String?
    package var interaction = Interaction.allowed
    package var reuse: TimeSpan?
    package var applicationPassword: String?
    package var fallbackTitle: String?
    /// What happens while the first prompt is shown.
    package var meanwhile: [Step] = []

    package init(app: Int? = nil, context: String? = nil, applicationPassword: String? = nil) {
        self.app = app
        self.context = context
        self.applicationPassword = applicationPassword
    }
}

/// Something that is asked of items.
package struct ItemRequest: Sendable {
    package enum Target: Sendable {
        /// The item that was declared in this place.
        case item(Int)
        case query(ItemQuery)
    }

    package enum Secret: Sendable {
        case keep
        case none
        case text(String)
    }

    package var action: Action
    package var target: Target
    package var asking: Asking
    /// Another demand, of an add or an update.
    package var control: AccessControl?
    package var secret = Secret.keep
    package var attributes = Attributes()
}

/// Something that is proved in a context.
package struct Evaluation: Sendable {
    package enum Subject: Sendable {
        case policy(AuthenticationPolicy)
        case control(AccessControl, Operation?)
    }

    package var subject: Subject
    package var asking: Asking
    /// True for a look ahead, which shows no prompt.
    package var onlyAsks: Bool
}

/// Something that happens to the device, by the names that the document chose.
package enum StageEvent: Hashable, Sendable {
    case lock, reboot, lockRemotely, holdButtons, removePasscode, resetBiometry, startSecurityDelay, erase
    /// The owner's passcode, where nothing is said.
    case unlock(passcode: String?)
    case touch(String)
    case enroll([String])
    case remove([String])
    case setPasscode(String)
    case companion(CompanionState)
    case wait(TimeSpan)
    case install(Int)
    case uninstall(Int)
    case permitBiometry(Int)
    case denyBiometry(Int)
    case backup(encrypted: Bool)
    case restore(sameDevice: Bool)
}
