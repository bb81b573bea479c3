internal import AccessPolicy
internal import DeviceModel
internal import Foundation
internal import Latchkey
internal import Security

extension Keychain {
    /// What Apple's system ends a program for: to ask without a reason, and to use Face ID without having declared what for.
    /// Here it does too, and says why; a test can have an error instead. Nil where nothing is wrong.
    func misuse(of call: String, _ reason: String, usesBiometry: Bool) -> NSError? {
        let what: String
        let error: NSError
        if reason.isEmpty {
            what = "\(call): the reason must not be empty"
            error = NSError(
                domain: NSOSStatusErrorDomain, code: Int(errSecParam), userInfo: [NSDebugDescriptionErrorKey: what])
        } else if usesBiometry, lacksUsageText {
            what = "\(call): the app has no NSFaceIDUsageDescription, and the system ends it for using Face ID"
            error = LAError(.biometryNotAvailable, because: what)._nsError
        } else {
            return nil
        }
        if watcher?.outlivesMisuse == true { return error }
        fatalError("\(what). In a test, `device.misuse = .isAnError` makes it an error.")
    }

    /// True if the app would use a sensor that needs a text which it has not declared.
    private var lacksUsageText: Bool {
        guard let device = try? device else { return false }
        return device.conditions(for: requester.app).biometry == .noUsageText
    }
}
