/// The choices for a service.
package struct SecretServerSettings: Sendable {
    /// The address of the bus; nil for the one that the environment names.
    package var address: String?
    /// The time in milliseconds after which a call that waits for a prompt is answered that the secret is locked. Clients of
    /// libsecret give up after 25 seconds, without a word.
    package var millisecondsToAnswer = 20_000
    /// The time in milliseconds after which a prompt that its caller has not started is completed as dismissed.
    package var millisecondsToStart = 120_000
    /// Reserves memory for a secret of so many bytes that a program sends. Returns an object that gives the bytes
    /// back when it is freed; nil if there is no room.
    package var reserve: @Sendable (Int) -> (any Sendable & AnyObject)?
    /// True to serve the portal's secrets for apps too.
    package var servesPortal = true

    /// Creates settings for the bus of the session.
    package init() {
        let room = SecretRoom(BusLimits.room)
        reserve = { room.share(of: $0) }
    }
}
