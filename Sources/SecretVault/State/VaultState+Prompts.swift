internal import DeviceModel

extension VaultState {
    /// Returns true if the answer to the prompt no longer counts.
    func isOver(_ sheet: PromptTicket?) -> Bool {
        guard let sheet else { return false }
        if device.session != sheet.session { return true }
        return sheet.epoch.map { $0 != ring.epoch } ?? device.isLocked
    }

    /// Takes in the changes of other programs, then returns true if the answer to the prompt no longer counts.
    mutating func isOverNow(_ sheet: PromptTicket) throws -> Bool {
        try refresh()
        return isOver(sheet)
    }
}
