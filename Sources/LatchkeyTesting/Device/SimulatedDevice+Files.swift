internal import DeviceModel
public import Foundation
internal import Latchkey
public import LatchkeyFiles
internal import LinuxSystem
internal import Synchronization

extension SimulatedDevice: FileOwner {
    /// The folder with the files of the device. It is removed with the device.
    ///
    /// Files that the code under test writes there are sealed under their protection class. With the plugin
    /// `ProtectFiles`, that is what `Data.write(to:options:)` and `Data(contentsOf:)` do.
    ///
    ///     let url = device.files.appending(path: "journal")
    ///     try Data("today".utf8).write(to: url, options: .completeFileProtection)
    ///     device.lock()
    ///     device.advance(by: .seconds(11))
    ///     #expect(throws: CocoaError.self) { try Data(contentsOf: url) }
    public var files: URL { URL(filePath: protectedFolder.path, directoryHint: .isDirectory) }

    package var protectedFolder: ProtectedFolder { filePlace.folder(of: self) }

    /// Tells apps that their files become unavailable or available, if an event did that.
    func tellApps(since former: Device?) {
        guard let former, let device = try? keychain.device, let notice = device.protectedDataNotice(since: former)
        else { return }
        run { NotificationCenter.default.post(name: Notification.Name(notice.rawValue), object: self) }
    }
}

/// The place of the files of a device, which is made when it is first used.
final class FilePlace: Sendable {
    private let made = Mutex<Made?>(nil)
    private let half = Mutex<[UInt8]?>(nil)

    private struct Made: Sendable {
        let above: String
        let folder: ProtectedFolder
    }

    /// Temporary folders of devices that live until the process ends are removed then.
    private static let cleaning: Void = { _ = atexit { TemporaryPlace.removeAll() } }()

    func folder(of device: SimulatedDevice) -> ProtectedFolder {
        made.withLock { made in
            if let made { return made.folder }
            _ = Self.cleaning
            guard let above = TemporaryPlace.make() else {
                fatalError("no temporary folder can be created for the files of a device")
            }
            do {
                let folder = try ProtectedFolder(device.keychain, at: above + "/files", half: half.withLock { $0 })
                made = Made(above: above, folder: folder)
                return folder
            } catch { fatalError("no folder can be created for the files of a device: \(error)") }
        }
    }

    /// The folder with the files of the device; nil if none has used it yet.
    var existing: ProtectedFolder? { made.withLock { $0?.folder } }

    /// Takes from the device, which is about to lock, what it needs to create files while it is locked.
    func prepare(_ keychain: Keychain) {
        if let folder = made.withLock({ $0?.folder }) { return folder.prepare() }
        half.withLock { $0 = $0 ?? ProtectedFolder.half(of: keychain) }
    }

    /// Closes every open file, as a restart does.
    func restart() { made.withLock { $0?.folder }?.closeFiles() }

    /// Removes every file, as an erasure does.
    func erase() {
        half.withLock { $0 = nil }
        guard let folder = made.withLock({ $0?.folder }) else { return }
        folder.closeFiles()
        folder.removeEverything()
    }

    deinit { made.withLock { made in if let made { TemporaryPlace.remove(made.above) } } }
}
