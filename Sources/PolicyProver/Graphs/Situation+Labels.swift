internal import AccessPolicy
internal import DeviceModel

extension Situation {
    /// Returns a few words for each thing that is notable about the device and the item with this index.
    ///
    /// Besides the lock and the item, it mentions only what has changed since the beginning.
    func labels(of scene: Scene, _ item: Int) -> [String] {
        let device = world.device
        var labels = [lockLabel]
        labels.append(itemLabel(scene.items[item]))
        if world.holdsBackupOfThisDevice == false, world.hasBackup { labels.append("another device") }
        labels += passcodeLabels(scene)
        labels += enrollmentLabels(scene)
        labels += companionLabels(scene)
        if world.holdsBackupOfThisDevice {
            labels.append(world.backup?.isEncrypted == true ? "encrypted backup" : "backup without a password")
        }
        switch device.apps[.first]?.permission {
        case .given, nil: break
        case .denied: labels.append("app was refused biometry")
        case .notAsked: labels.append("app has not asked for biometry")
        }
        if let timeLeft { labels.append("\(timeLeft.milliseconds / 1000) seconds left") }
        return labels
    }

    private var lockLabel: String {
        let device = world.device
        if device.isLocked {
            if !device.hasFirstUnlock { return "not unlocked since it started" }
            return device.isOpen ? "locked a moment ago" : "locked"
        }
        return "unlocked"
    }

    private func itemLabel(_ slot: SlotID) -> String {
        guard let place = world[slot], place.isPresent else {
            return world[slot]?.copy == nil ? "item gone" : "item in the backup only"
        }
        guard let rule = lastingDenial(of: place.item, under: world.device.conditions()) else { return "item there" }
        return isGone(slot) ? "item invalidated (\(rule.identifier))" : "item there, unusable (\(rule.identifier))"
    }

    private func passcodeLabels(_ scene: Scene) -> [String] {
        let device = world.device
        var labels: [String] = []
        if device.passcode != scene.world.device.passcode {
            switch device.passcode {
            case nil: labels.append("no passcode")
            case .owners: labels.append("owner's passcode")
            default: labels.append("new passcode")
            }
        }
        if device.isDisabled {
            labels.append("disabled")
        } else if device.delayedUntil > device.now {
            labels.append("passcode delayed")
        }
        let wrong = device.wrongPasscodes.count
        if wrong > 0 { labels.append("\(wrong) wrong passcode\(wrong == 1 ? "" : "s")") }
        if !device.passcodeReasons.isEmpty { labels.append("passcode required before biometry") }
        if device.securityDelayEnds != nil {
            labels.append(device.isSecurityDelayOver ? "security delay over" : "security delay runs")
        }
        return labels
    }

    private func enrollmentLabels(_ scene: Scene) -> [String] {
        let device = world.device
        var labels: [String] = []
        let missing = scene.enrolled.subtracting(device.enrolled).count
        let added = device.enrolled.subtracting(scene.enrolled).count
        if added > 0 { labels.append(added == 1 ? "another enrolled" : "\(added) others enrolled") }
        if missing > 0 {
            labels.append(missing == scene.enrolled.count ? "owner not enrolled" : "\(missing) of the owner's removed")
        }
        if device.isLockedOut {
            labels.append("biometry locked out")
        } else if device.failedMatches > 0 {
            labels.append("\(device.failedMatches) failed match\(device.failedMatches == 1 ? "" : "es")")
        }
        return labels
    }

    private func companionLabels(_ scene: Scene) -> [String] {
        let companion = world.device.companion
        if !companion.isPaired { return scene.world.device.companion.isPaired ? ["watch forgotten"] : [] }
        var labels = isCompanionNew ? ["another watch paired"] : []
        switch companion.state {
        case .away: labels.append("watch away")
        case .locked: labels.append("watch locked")
        case .ready, .notPaired: break
        }
        return labels
    }
}
