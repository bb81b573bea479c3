import Foundation

#if canImport(UIKit)
    import UIKit
#endif

/// The journal: one file, which can be read only while the device is unlocked.
struct Journal: Sendable {
    struct Entry: Codable, Equatable, Sendable {
        var date: Date
        var text: String
    }

    enum Failure: Error, Equatable {
        /// The device is locked: the entries come back with the unlock.
        case locked
    }

    var url = URL.documentsDirectory.appending(path: "journal.json")

    /// Returns the entries, the oldest one first.
    func entries() throws -> [Entry] {
        guard FileManager.default.fileExists(atPath: url.path) else { return [] }
        do {
            return try JSONDecoder().decode([Entry].self, from: Data(contentsOf: url))
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw Failure.locked
        }
    }

    func add(_ text: String, on date: Date = Date()) throws {
        let entries = try entries() + [Entry(date: date, text: text)]
        do {
            try JSONEncoder().encode(entries).write(to: url, options: [.atomic, .completeFileProtection])
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            throw Failure.locked
        }
    }

    /// The class of the file; nil before the first entry.
    var protection: FileProtectionType? {
        try? FileManager.default.attributesOfItem(atPath: url.path)[.protectionKey] as? FileProtectionType
    }
}

/// The screen of the journal. It hides the entries while the device is locked.
@MainActor
final class JournalScreen {
    private(set) var titles: [String] = []
    private(set) var isHidden = false
    private let journal: Journal
    private var observers: [any NSObjectProtocol] = []

    init(_ journal: Journal = Journal()) {
        self.journal = journal
        show()
        let notices = [
            UIApplication.protectedDataWillBecomeUnavailableNotification: true,
            UIApplication.protectedDataDidBecomeAvailableNotification: false,
        ]
        for (notice, hides) in notices {
            observers.append(
                NotificationCenter.default.addObserver(forName: notice, object: nil, queue: nil) { [weak self] _ in
                    // The system posts these on the main thread.
                    MainActor.assumeIsolated { hides ? self?.hide() : self?.show() }
                })
        }
    }

    func close() {
        observers.forEach(NotificationCenter.default.removeObserver)
        observers = []
    }

    private func hide() {
        titles = []
        isHidden = true
    }

    private func show() {
        guard UIApplication.shared.isProtectedDataAvailable, let entries = try? journal.entries() else { return hide() }
        titles = entries.map(\.text)
        isHidden = false
    }
}
