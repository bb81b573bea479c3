internal import AccessPolicy
internal import DeviceModel
internal import Latchkey
internal import LivePage
internal import ScenarioFormat
internal import Synchronization

extension Stage {
    /// Returns the state of the device, as its vault has it.
    ///
    /// - Throws: ``KeychainError`` if the vault cannot be read.
    func liveState() throws(KeychainError) -> LiveState {
        let (identifiers, files, holder) = state.withLock { state in
            (
                state.items.identifiers,
                scenario.files.indices.map { place in
                    let file = state.files[place]
                    return LiveFile(
                        name: scenario.files[place].name,
                        protection: (file?.protection ?? scenario.files[place].protection).name,
                        isStored: file != nil, isOpen: file?.handle != nil)
                }, state.user
            )
        }
        let items = zip(scenario.items, identifiers).map { item, id in
            LiveState.KnownItem(
                name: item.name, app: scenario.apps[item.app].name, itemClass: item.itemClass,
                policy: "\(item.control)", id: id)
        }
        let people = Scenario.everybody + scenario.people.keys.sorted()
        return try LiveState(
            keychain, holder: holder, people: people, items: items, files: files, withoutRecordsOf: Self.onlooker)
    }
}
