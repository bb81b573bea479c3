internal import AccessPolicy

extension Device {
    mutating func pairCompanion() -> Effects {
        if companion.isPaired { return Effects(.nothingToChange) }
        companion.isPaired = true
        return Effects()
    }

    /// Unpairs the companion and ends the session, so that no authentication by the companion still counts.
    mutating func unpairCompanion() -> Effects {
        var effects = changeCompanion { $0 = Companion() }
        if effects.refusal == nil { endSession(&effects) }
        return effects
    }

    mutating func changeCompanion(_ change: (inout Companion) -> Void) -> Effects {
        guard companion.isPaired else { return Effects(.companionNotPaired) }
        let before = companion
        change(&companion)
        return companion == before ? Effects(.nothingToChange) : Effects()
    }

    mutating func install(_ app: App?, at id: AppID) -> Effects {
        if app == nil && apps[id] == nil { return Effects(.appNotInstalled) }
        if app == apps[id] { return Effects(.nothingToChange) }
        apps[id] = app
        return Effects()
    }

    mutating func permit(_ id: AppID, _ permission: App.Permission) -> Effects {
        guard settings.sensor.needsPermission else { return Effects(.permissionNotNeeded) }
        guard let app = apps[id] else { return Effects(.appNotInstalled) }
        if app.permission == permission { return Effects(.nothingToChange) }
        apps[id]?.permission = permission
        return Effects()
    }
}
