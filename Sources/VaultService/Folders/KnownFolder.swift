internal import AgentProtocol
internal import LinuxSystem

/// An encrypted folder as the agent saw it last.
struct KnownFolder: Sendable {
    /// The key of the folder in the kernel.
    enum Key: Hashable, Sendable {
        /// The kernel has it, or may have it.
        case given
        case gone
        /// It is gone. Files that processes had open stay readable.
        case held
        /// It is there, because another user has added it as well.
        case kept
        /// It is there again, because the agent of another vault of this user has given it.
        case shared
        /// A file system that may have it cannot be asked.
        case unreached(String)
    }

    /// The thing at the path of the folder.
    enum Place: Hashable, Sendable {
        case encrypted, plain, other
        case missing(SystemError)
    }

    var folder: EncryptedFolder
    var key: Key
    var place: Place
    /// The number of the device of its file system; nil if its path led nowhere so far.
    var device: String?
    /// True if the folder is to be locked although the vault is unlocked.
    var isUnwanted = false
    /// False if the vault has no such folder any more.
    var isStored = true
    /// The number of times that the kernel got the key, or was found to have it.
    var gifts = 0
    /// True while a thread takes the key.
    var isBeingTaken = false

    /// Creates the first look at a folder.
    init(_ folder: EncryptedFolder, key: Key, place: Place) {
        (self.folder, self.key, self.place) = (folder, key, place)
    }

    /// Notes that the kernel has the key.
    mutating func give() {
        key = .given
        gifts += 1
    }

    var state: EncryptedFolderReport.State {
        switch (key, place) {
        case (.held, _): .held
        case (.kept, _): .kept
        case (.shared, _): .shared
        case (.unreached, _): .unreached
        case (.given, .encrypted): .open
        case (.gone, .encrypted): .locked
        case (.given, .plain), (.gone, .plain): .plain
        case (.given, .other), (.given, .missing), (.gone, .other), (.gone, .missing): .missing
        }
    }

    /// The reason why the folder could not be opened or locked; nil if it could.
    var trouble: String? {
        switch (key, place) {
        case (.unreached(let reason), _): reason
        case (_, .missing(let error)): "\(error)"
        case (_, .other): "another folder is at this path"
        case (_, .encrypted), (_, .plain): nil
        }
    }
}
