/// The scenario that `latchkey new` writes.
package enum Starter {
    /// The text of the file. The scenario passes, and its comments say what to change.
    package static let text = """
        # A scenario is a unit test for an access policy. Play it with: latchkey test FILE
        # docs/scenarios.md describes every key. A file can hold several scenarios, with a line of three dashes between them.
        name: a finger that is enrolled later does not open the token

        # The device. Other presets are iPhoneWithFaceID, mac and simulator. Or describe a device of your own:
        # device: { biometry: touchID, passcode: "1234", enrolled: [right index] }
        device: iPhoneWithTouchID

        # The people who may hold the device, besides the built-in owner, stranger and absent.
        people:
          thief: { fingers: [left thumb], passcode: "1234" }    # saw the owner type the passcode

        # The items at the beginning, each with its access policy.
        items:
          token:
            accessible: whenPasscodeSetThisDeviceOnly           # kSecAttrAccessible…
            require: biometryCurrentSet                         # or: biometryAny or devicePasscode
          spare:
            accessible: whenUnlockedThisDeviceOnly
            require: biometryAny

        # What happens, in order. The owner holds the device by default, and a step without "expect" has to succeed.
        steps:
          - read: token
            expect: { granted: biometry, prompts: 1 }

          - read: token
            by: thief                                           # The thief's finger is not enrolled yet.
            expect: { denied: sheet.failed, status: errSecAuthFailed }

          - enroll: left thumb
            by: thief                                           # Enrolling takes only the passcode.

          - read: spare
            by: thief
            expect: granted                                     # Any enrolled finger opens it. Is that what you want?

          - read: token
            by: thief
            expect:
              denied: biometry.current-set.changed
              status: errSecItemNotFound
              flips-with: store                                 # The owner has to store it again.
              items: { token: gone }

        """
}
