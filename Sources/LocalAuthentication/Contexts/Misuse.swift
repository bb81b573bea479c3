internal import AccessPolicy
internal import DeviceModel
internal import Foundation
internal import Latchkey
internal import Security

extension Keychain {
    /// Returns the error for a call that Apple's system answers by ending the app: one without a reason, or one that
    /// uses Face ID without the usage text; nil if nothing is wrong.
    ///
    /// Unless a test asks for an error instead, it ends the program with a message.
    func misuse(of call: String, _ reason: String, usesBiometry: Bool) -> NSError? {
        let what: String
        let error: NSError
        if reason.isEmpty {
            what = "\(call): the reason must not be empty"
            error = NSError(
                domain: NSOSStatusErrorDomain, code: Int(errSecParam), userInfo: [NSDebugDescriptionErrorKey: what])
        } else if usesBiometry, lacksUsageText {
            what = "\(call): the app has no NSFaceIDUsageDescription, without which the system ends it at Face ID"
            error = LAError(.biometryNotAvailable, because: what)._nsError
        } else {
            return nil
        }
        if watcher?.outlivesMisuse == true { return error }
        fatalError("\(what). In a test, set `device.misuse = .isAnError` to get an error instead.")
    }

    /// True if the app's sensor needs a usage text that the app does not declare.
    private var lacksUsageText: Bool {
        guard let device = try? device else { return false }
        return device.conditions(for: requester.app).biometry == .noUsageText
    }
}
