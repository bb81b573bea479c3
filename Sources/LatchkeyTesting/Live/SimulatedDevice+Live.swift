internal import Dispatch
internal import Foundation
internal import Latchkey
internal import LatchkeyFiles
internal import LinuxSystem
internal import LivePage
internal import SecretVault
internal import Synchronization

extension SimulatedDevice {
    /// A served page of a device. It is served as long as this object exists.
    public final class ServedPage: Sendable {
        /// The address of the page. Anyone who knows it sees the device.
        public let url: String
        private let device: SimulatedDevice
        private let updates: Updates
        private let server: LiveServer

        fileprivate init(_ device: SimulatedDevice, titled title: String) throws(SystemError) {
            self.device = device
            let hub = LiveHub(device.history(title))
            updates = Updates()
            server = try LiveServer(
                hub, driver: nil,
                refusal: "This page shows the device of a test, which alone changes it. See docs/live.md.", schema: nil)
            url = server.address
            let (updates, signal) = (updates, updates.signal)
            device.logbook.tell(updates) { signal.give() }
            DispatchQueue(label: "latchkey.testing.page").async { [weak device] in
                while updates.next() {
                    guard let device else { return }
                    hub.begin(device.history(title))
                }
            }
        }

        deinit {
            device.logbook.dismiss(updates)
            updates.stop()
            server.stop()
        }
    }

    /// Serves a page that shows this device, its calls, decisions and prompts while the test runs.
    ///
    ///     let page = try device.serve()
    ///     print(page.url)
    ///
    /// The page is served to this machine only, and as long as you keep the object. It never changes the device. To look
    /// at it when a test has failed, let the test wait, or write ``page(title:)`` into a file.
    ///
    /// - Throws: The system's error if no port or no file descriptor is left.
    public func serve(title: String = "a simulated device") throws -> ServedPage {
        try ServedPage(self, titled: title)
    }

    /// Returns the page as one file of HTML, with the device and everything that happened so far.
    ///
    ///     try device.page().write(toFile: "failure.html", atomically: true, encoding: .utf8)
    public func page(title: String = "a simulated device") -> String { LivePage.file(history(title)) }

    fileprivate func history(_ title: String) -> LiveHistory {
        var history = LiveHistory(title: title, drives: false, beginning: liveState)
        history.steps = LiveStep.steps(of: logbook.moments)
        return history
    }

    /// The files of the device as they are now, by their paths below its folder.
    private var liveFiles: [LiveFile] {
        guard let folder = filePlace.existing else { return [] }
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let path = folder.path + "/" + name
            var isFolder = false as ObjCBool
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                return nil
            }
            let protection: String
            do { protection = try folder.protection(of: path)?.name ?? "not sealed" } catch {
                protection = "its class cannot be read: \(error)"
            }
            return LiveFile(name: name, protection: protection, isStored: true, isOpen: folder.isOpen(path))
        }
    }

    private var liveState: LiveState {
        let items = inventory.map { found, stored in
            let name = stored.map { stored in
                [AttributeName.server, .service, .account].compactMap { stored.description.attributes.text($0) }
                    .joined(separator: "/")
            }
            return LiveState.KnownItem(
                name: name.map { $0.isEmpty ? "an item without a name" : $0 } ?? "a locked item",
                app: stored?.description.group, itemClass: found.itemClass, policy: "\(found.control)", id: found.id)
        }
        do {
            return try LiveState(keychain, holder: nil, people: [], items: items, files: liveFiles)
        } catch {
            fatalError("the vault of a simulated device, which is in memory, cannot be read: \(error)")
        }
    }
}

/// The news about a device, for the thread that shows them.
private final class Updates: Sendable {
    let signal = Signal()
    private let isOver = Atomic(false)

    /// Waits for news. Returns false at the end.
    func next() -> Bool {
        signal.wait()
        while signal.wait(upTo: 0) {}
        return !isOver.load(ordering: .sequentiallyConsistent)
    }

    func stop() {
        isOver.store(true, ordering: .sequentiallyConsistent)
        signal.give()
    }
}
