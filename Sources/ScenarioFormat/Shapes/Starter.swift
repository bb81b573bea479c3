/// A scenario to begin with.
package enum Starter {
    /// It passes, and says what can be changed.
    package static let text = """
        # A scenario is a unit test for an access policy. Play it with: latchkey test FILE
        # It can say much more: see docs/scenarios.md. A file may hold several, with a line of three dashes between them.
        name: a finger that is enrolled later does not open the token

        # The device. Other presets: iPhoneWithFaceID, mac, simulator; or say what differs:
        # device: { biometry: touchID, passcode: "1234", enrolled: [right index] }
        device: iPhoneWithTouchID

        # Who may hold it besides owner, stranger and absent, whom every scenario knows.
        people:
          thief: { fingers: [left thumb], passcode: "1234" }    # has watched the passcode being typed

        # What is stored when it begins, and what each demands.
        items:
          token:
            accessible: whenPasscodeSetThisDeviceOnly           # kSecAttrAccessible…
            require: biometryCurrentSet                         # or: biometryAny or devicePasscode
          spare:
            accessible: whenUnlockedThisDeviceOnly
            require: biometryAny

        # What happens, in order. The owner holds the device unless said otherwise, and a step without "expect" has to succeed.
        steps:
          - read: token
            expect: { granted: biometry, prompts: 1 }

          - read: token
            by: thief                                           # whose finger is not enrolled yet
            expect: { denied: sheet.failed, status: errSecAuthFailed }

          - enroll: left thumb
            by: thief                                           # the passcode is all that the settings ask for

          - read: spare
            by: thief
            expect: granted                                     # any enrolled finger: the policy to think about

          - read: token
            by: thief
            expect:
              denied: biometry.current-set.changed
              status: errSecItemNotFound
              flips-with: store                                 # nothing but storing it anew helps
              items: { token: gone }

        """
}
