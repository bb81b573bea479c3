internal import AccessPolicy
package import AgentProtocol
internal import DeviceModel
internal import Glibc
internal import Latchkey
internal import LinuxSystem
internal import SecretVault
package import SodiumKit

extension StatusCall: Deed {
    package func run(
        _ visit: Visit, _ asked: AskedRequest, _ secret: consuming SecureBytes?
    ) throws(AgentError) -> CallResult<Reply> {
        let (service, keychain) = (visit.service, visit.service.keychain)
        // This asks the sensor for its enrolled set, so that the report is up to date.
        let trouble = service.sensorLook.trouble()
        let (device, names) = try visit.onKeychain { (keychain) throws(KeychainError) in
            (try keychain.device, try keychain.enrolledNames)
        }
        let state: StatusReport.State =
            device.isLocked ? (device.hasFirstUnlock ? .locked : .beforeFirstUnlock) : .unlocked
        var report = StatusReport()
        report.vault = service.place.vault
        report.state = state
        report.sensor = device.settings.sensor.name
        report.isSensorFake = keychain.hasFakeSensor
        report.enrolled = names
        report.sensorTrouble = device.settings.sensor == .none ? nil : trouble
        report.service = service.storedSettings[.pamService].textIfAny
        report.areSettingsUnchecked = !keychain.hasCheckedSettings
        let (putBack, remains) = try visit.onKeychain { (keychain) throws(KeychainError) in
            (try keychain.settingsPutBack, try keychain.formerPasscodeRemains)
        }
        report.settingsPutBack = putBack.map { Int($0 / 1000) }
        report.formerOpensFor = remains.map { Int(($0 + 999) / 1000) }
        report.locksAfter = service.locksAfter
        report.failedAttempts = device.wrongPasscodes.count
        report.delay = device.passcodeDelay
        report.sleepTrouble = service.host?.sleepTrouble
        report.clockBehind = Self.clockBehind(device)
        report.limitTroubles = service.host?.limitTroubles ?? []
        report.process = getpid()
        // A damaged log must not hide the rest of the report. `latchkey verify` names the damage.
        if let log = try? keychain.auditSettings { report.log = SettingChanges(log) }
        return CallResult(report)
    }

    /// Returns the seconds by which the clock is behind the latest time that the vault has seen.
    private static func clockBehind(_ device: Device) -> Int {
        max(0, Int(device.now.milliseconds / 1000) - Int(SystemClock.since1970.seconds))
    }
}
