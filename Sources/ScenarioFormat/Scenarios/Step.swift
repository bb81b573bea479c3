package import AccessPolicy
package import ApplePlatform
internal import DeviceModel
package import Latchkey
package import PolicyWords
package import SecretVault

/// A step of a scenario: an event or a request, with its expected outcome.
package struct Step: Sendable {
    /// The event or the request.
    package var deed: StepDeed
    /// The place of the step in the file.
    package var position: Position
    /// The person who does it or answers its prompts; nil for the one who holds the device.
    package var by: String?
    /// The index of the device, among those of the file; nil for the first.
    package var device: Int?
    /// The number of times that the step is done.
    package var times = 1
    /// The expected outcome; nil if the step has to succeed.
    package var expectation: Expectation?
    /// The step in the words of the file.
    package var words: String
}

/// The action of a step.
package enum StepDeed: Sendable {
    /// An app calls the keychain.
    case request(ItemRequest)
    /// An app calls the file system.
    case file(FileRequest)
    /// An app evaluates a policy or an access control in a context.
    case evaluate(Evaluation)
    case invalidate(context: String)
    case createControl(Accessibility, AccessControlFlags)
    case event(StepEvent)
    /// Something happens to the account of several devices.
    case account(AccountStep)
    /// Something fails from outside: a call, a prompt or the sensor.
    case fail(Failure)
    /// Nothing happens; the step only checks its expectation.
    case look
}

/// A failure that a test causes, which no state of the device leads to.
package enum Failure: Sendable {
    /// The ending of a prompt that no one answers.
    package enum PromptEnding: Sendable {
        case dismissed
        /// The system cancels it, for example for an incoming call.
        case systemCanceled
        case appCanceled
    }

    /// The next call of this kind fails with this status. If `decrypts` is true, it is a call that decrypts.
    case call(Action, decrypts: Bool, OSStatusCode)
    /// The next prompt ends so.
    case prompt(PromptEnding)
    /// The sensor answers from now on, or gives no answer.
    case sensor(answers: Bool)
}

/// The circumstances of an app's call.
package struct CallCircumstances: Sendable {
    /// The index of the app; nil for the first.
    package var app: Int?
    /// The name of the context; nil for a new one.
    package var context: String?
    /// The app's setting for prompts.
    package var interaction = Interaction.allowed
    /// The greatest age of an unlock by biometry that counts as biometry.
    package var reuse: TimeSpan?
    /// The application password that the app sets in advance.
    package var applicationPassword: String?
    /// The title of the fallback button; empty to hide it.
    package var fallbackTitle: String?
    /// The steps to play while the first prompt is shown.
    package var meanwhile: [Step] = []

    package init(app: Int? = nil, context: String? = nil, applicationPassword: String? = nil) {
        self.app = app
        self.context = context
        self.applicationPassword = applicationPassword
    }
}

/// A keychain call.
package struct ItemRequest: Sendable {
    /// The item or items of a call.
    package enum Target: Sendable {
        /// The item that the file declares at this index.
        case item(Int)
        case query(ItemQuery)
    }

    /// The secret that an add or an update stores.
    package enum Secret: Sendable {
        /// The secret stays as the item declares it.
        case keep
        /// The call has no secret.
        case none
        /// The call stores this secret.
        case text(String)
    }

    package var action: Action
    /// True if the agreement of the call serves to decrypt a message.
    package var decrypts = false
    /// The item or the query.
    package var target: Target
    package var asking: CallCircumstances
    /// The access policy that an add or an update states; nil to keep the item's own.
    package var control: AccessControl?
    package var secret = Secret.keep
    /// The attributes that an update changes.
    package var attributes = Attributes()
}

/// An evaluation in a context.
package struct Evaluation: Sendable {
    package enum Subject: Sendable {
        /// A policy of LocalAuthentication.
        case policy(AuthenticationPolicy)
        case control(AccessControl, Operation?)
    }

    /// The policy or the access control.
    package var subject: Subject
    package var asking: CallCircumstances
    /// True if the app only asks whether the evaluation could succeed, which shows no prompt.
    package var onlyAsks: Bool
}
