internal import AccessPolicy
internal import DeviceModel
internal import PlainText

extension Device {
    /// The facts that a reader wants to know of the device, one in each text.
    var facts: [String] {
        var facts = [!hasFirstUnlock ? "not unlocked since its start" : isLocked ? "locked" : "unlocked"]
        if passcode == nil { facts.append("no passcode") }
        if delayedUntil > now { facts.append("takes no passcode for a while") }
        let count = enrolled.count
        facts.append(count == 0 ? "no biometry enrolled" : "\(counted(count, "enrollment"))")
        if isLockedOut { facts.append("biometry is locked out") }
        facts.append("\(counted(Int((now - .start).milliseconds / 1000), "second")) after the start")
        return facts
    }
}
