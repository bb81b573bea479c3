internal import LatchkeyFiles
internal import LinuxSystem

/// A backup of a simulated device: a file that is removed with this object.
///
/// It contains the items that may leave their device and the user defaults, and no files and no enrollments.
public final class DeviceBackup: Sendable {
    /// True if the backup is encrypted. Any other opens only on the device that made it.
    public let isEncrypted: Bool
    /// The number of items in the backup.
    public let itemCount: Int
    /// The reason why there is no backup: a locked device makes none. Nil if it was made.
    public let refusal: String?

    let password: String
    /// The folder of the file; nil if no backup was made.
    private let folder: String?
    let settings: Settings

    /// The facts about the device that its successor has too.
    struct Settings: Sendable {
        var biometry: SimulatedDevice.Biometry
        var passcode: String?
        var enrolled: [String]
        var app: App
        var defaults: DefaultsStore.Snapshot
    }

    init(
        in folder: String?, isEncrypted: Bool, password: String, itemCount: Int, of settings: Settings, refusal: String?
    ) {
        self.folder = folder
        self.isEncrypted = isEncrypted
        self.password = password
        self.itemCount = itemCount
        self.settings = settings
        self.refusal = refusal
    }

    /// The path of the file; nil if no backup was made.
    var path: String? { refusal == nil ? folder.map(Self.path) : nil }

    static func path(in folder: String) -> String { folder + "/backup" }

    deinit { if let folder { TemporaryPlace.remove(folder) } }
}
