public import AccessPolicy

/// The records of an account, and each device's knowledge of them. It moves the items of synchronizable keychains.
///
/// Nothing moves by itself. ``send(from:_:_:)`` sends what has changed on a device since the last time, and
/// ``fetch(to:_:_:)`` stores what others have sent. A device knows its changes by comparing its items with the marks of the
/// last time, so changes that cancel each other out are never sent.
public struct Cloud<Keychain: SyncingKeychain>: Sendable {
    /// The identifier of a record. Two records are compared by it, and never by their dates.
    public struct RecordID: Hashable, Comparable, Sendable {
        /// The number, which stands for the text of a UUID.
        public let number: UInt64

        /// Returns true if `left` sorts before `right`.
        public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }

    /// The choice of the identifier of the next new record.
    public enum NextRecord: Hashable, Sendable {
        /// A number that follows from the seed.
        case any
        /// Lower than that of every other record.
        case lowest
        /// Higher than that of every other record.
        case highest
    }

    /// A movement or a drop of an item.
    public struct Movement: Sendable {
        /// The device that sent, received or dropped it.
        public let device: AccountDeviceID
        /// The rule.
        public let rule: SyncRule
        /// The name of the item; nil while its class key is unavailable.
        public let label: Keychain.Label?
    }

    fileprivate struct Record: Sendable {
        /// The item; nil if it was deleted.
        var content: Keychain.Content?
        var view: SyncView
        /// The number of the change to the account that wrote it.
        var change: UInt64
    }

    /// A device's knowledge of one record.
    fileprivate struct Known: Sendable {
        var place: Keychain.Place
        /// The mark of the item when it was last equal to the record; nil if there was no item then.
        var mark: Keychain.Mark?
        /// The change that the device has seen.
        var change: UInt64
        var label: Keychain.Label?
        /// The item that has arrived and waits for its class key.
        var waiting: Keychain.Content?
    }

    fileprivate struct Mirror: Sendable {
        var known: [RecordID: Known] = [:]
        /// The last change that the device has seen.
        var seen: UInt64 = 0
        /// The rules that were recorded for items that stay, so that each is recorded once.
        var stayed: [Keychain.Place: (mark: Keychain.Mark, rule: SyncRule)] = [:]
    }

    private var records: [RecordID: Record] = [:]
    private var mirrors: [AccountDeviceID: Mirror] = [:]
    private var change: UInt64 = 0
    /// The rules by which devices take no part, so that each is recorded once.
    private var barred: [AccountDeviceID: SyncRule] = [:]
    private var seed: UInt64
    /// The choice of the identifier of the next new record; ``NextRecord/any`` again after one.
    public var nextRecord = NextRecord.any

    /// Creates an account's records. Their identifiers follow from `seed`.
    public init(seed: UInt64 = 0) { self.seed = seed }

    /// The number of items that the account keeps.
    public var count: Int { records.values.count { $0.content != nil } }

    // MARK: - What is not an exchange

    /// Forgets everything, as a new circle has new keys. Each device keeps its items, and sends them anew.
    public mutating func reset() {
        records = [:]
        mirrors = [:]
    }

    /// Forgets what a device knew, because it was signed out or erased. Its items count as new if it joins again.
    public mutating func forget(_ device: AccountDeviceID) { mirrors[device] = nil }

    /// Returns true if records wait on a device for the class key of their item.
    public func waits(on device: AccountDeviceID) -> Bool {
        mirrors[device]?.known.values.contains { $0.waiting != nil } ?? false
    }

    /// Lets a device fetch everything anew, because it gets items that it did not get before.
    public mutating func fetchAnew(on device: AccountDeviceID) { mirrors[device]?.seen = 0 }

    // MARK: - Sending

    /// Sends what has changed on a device. A device that joins sends nothing before it has fetched.
    ///
    /// A change is refused if another device has changed the record since, and ``fetch(to:_:_:)`` then replaces it. A
    /// deletion is never refused.
    public mutating func send(
        from device: AccountDeviceID, _ keychain: inout Keychain, _ standing: SyncStanding
    ) throws(Keychain.Failure) -> [Movement] {
        if let obstacle = standing.obstacle { return noting(obstacle, of: device) }
        barred[device] = nil
        guard var mirror = mirrors[device] else { return [] }
        var movements: [Movement] = []
        // The order is the same each time; that of the keychain may not be. One change can be of several items.
        let rows = try keychain.rows().sorted { left, right in
            if left.mark != right.mark { return left.mark < right.mark }
            guard let (one, other) = left.label.flatMap({ one in right.label.map { (one, $0) } }) else {
                return left.label == nil && right.label != nil
            }
            return one < other
        }
        let places = Dictionary(mirror.known.map { ($0.value.place, $0.key) }, uniquingKeysWith: { min($0, $1) })
        for row in rows {
            let id = places[row.place]
            let known = id.flatMap { mirror.known[$0] }
            if let known, known.mark == row.mark { continue }
            // Another device was first; what it sent comes with the next fetch.
            if let id, let known, known.change != records[id]?.change { continue }
            var obstacle =
                row.item.syncObstacle ?? standing.obstacle(to: row.view) ?? (row.isTooLarge ? .tooLarge : nil)
            let content = obstacle == nil ? try keychain.content(at: row.place) : nil
            if content == nil && obstacle == nil { obstacle = .waitsToBeSent }
            guard let content else {
                if let obstacle, mirror.notes(obstacle, at: row.place, row.mark) {
                    movements.append(Movement(device: device, rule: obstacle, label: row.label))
                }
                continue
            }
            let label = keychain.label(of: content)
            if known?.waiting != nil {
                movements.append(Movement(device: device, rule: .waitingDropped, label: label))
            }
            let record = id ?? newRecord()
            write(content, row.view, to: record)
            mirror.known[record] = Known(place: row.place, mark: row.mark, change: change, label: label)
            mirror.stayed[row.place] = nil
            movements.append(Movement(device: device, rule: .sent, label: label))
        }
        let present = Set(rows.map { $0.place })
        for (id, known) in mirror.known.sorted(by: { $0.key < $1.key })
        where known.mark != nil && !present.contains(known.place) {
            // A deletion is sent once nothing keeps it back.
            if let record = records[id], record.content != nil, standing.obstacle(to: record.view) != nil { continue }
            mirror.known[id] = nil
            guard let record = records[id], record.content != nil else { continue }
            write(nil, record.view, to: id)
            movements.append(Movement(device: device, rule: .sentDeletion, label: known.label))
        }
        mirrors[device] = mirror
        return movements
    }

    /// Returns a record that a device takes no part by this rule, if that was not so the last time.
    private mutating func noting(_ rule: SyncRule, of device: AccountDeviceID) -> [Movement] {
        if barred.updateValue(rule, forKey: device) == rule { return [] }
        return [Movement(device: device, rule: rule, label: nil)]
    }

    private mutating func write(_ content: Keychain.Content?, _ view: SyncView, to id: RecordID) {
        change += 1
        records[id] = Record(content: content, view: view, change: change)
    }

    private mutating func newRecord() -> RecordID {
        defer { nextRecord = .any }
        let numbers = records.keys.lazy.map { $0.number }
        switch nextRecord {
        case .any:
            while true {
                let id = RecordID(number: scattered() >> 8 | 1 << 60)
                if records[id] == nil { return id }
            }
        case .lowest: return RecordID(number: (numbers.min() ?? 1 << 60) - 1)
        case .highest: return RecordID(number: (numbers.max() ?? 1 << 60) + 1)
        }
    }

    /// Returns the next number that follows from the seed.
    private mutating func scattered() -> UInt64 {
        seed &+= 0x9E37_79B9_7F4A_7C15
        var number = seed
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }

    // MARK: - Fetching

    /// Stores what other devices have sent since the last time, and what waited for a class key.
    public mutating func fetch(
        to device: AccountDeviceID, _ keychain: inout Keychain, _ standing: SyncStanding
    ) throws(Keychain.Failure) -> [Movement] {
        if let obstacle = standing.obstacle { return noting(obstacle, of: device) }
        barred[device] = nil
        var mirror = mirrors[device] ?? Mirror()
        let news = records.filter { $0.value.change > mirror.seen }.sorted { $0.value.change < $1.value.change }
        var movements: [Movement] = []
        var marks = news.isEmpty ? [:] : try keychain.marks()
        for (id, record) in news {
            mirror.seen = record.change
            if mirror.known[id]?.change == record.change { continue }  // its own
            if record.content != nil {
                try receive(id, record, on: device, &keychain, standing, &mirror, &marks, &movements)
            } else if standing.obstacle(to: record.view) == nil, let known = mirror.known.removeValue(forKey: id) {
                if marks.removeValue(forKey: known.place) != nil { try keychain.remove(at: known.place) }
                movements.append(Movement(device: device, rule: .arrivedDeletion, label: known.label))
            }
        }
        mirrors[device] = mirror
        return movements + (try storeWaiting(on: device, &keychain))
    }

    /// Stores what has arrived and waited for a class key. It needs no network.
    public mutating func storeWaiting(
        on device: AccountDeviceID, _ keychain: inout Keychain
    ) throws(Keychain.Failure) -> [Movement] {
        guard waits(on: device), var mirror = mirrors[device] else { return [] }
        var movements: [Movement] = []
        let marks = try keychain.marks()
        for (id, known) in mirror.known.sorted(by: { $0.key < $1.key }) {
            // A change on this device drops the copy that waits, when it is sent.
            guard let content = known.waiting, marks[known.place] == known.mark,
                let mark = try keychain.put(content)
            else { continue }
            mirror.known[id] = Known(place: known.place, mark: mark, change: known.change, label: known.label)
            movements.append(Movement(device: device, rule: .arrived, label: known.label))
        }
        mirrors[device] = mirror
        return movements
    }

    /// Stores one record that arrives, unless it is dropped or waits.
    private mutating func receive(
        _ id: RecordID, _ record: Record, on device: AccountDeviceID, _ keychain: inout Keychain,
        _ standing: SyncStanding, _ mirror: inout Mirror, _ marks: inout [Keychain.Place: Keychain.Mark],
        _ movements: inout [Movement]
    ) throws(Keychain.Failure) {
        guard let content = record.content else { return }
        let label = keychain.label(of: content)
        func note(_ rule: SyncRule) { movements.append(Movement(device: device, rule: rule, label: label)) }
        if let rule = standing.obstacle(to: record.view) { return note(rule) }
        let place = try keychain.place(of: content)
        let mark = marks[place]
        if let known = mirror.known[id] {
            if known.mark != mark { note(.cloudWins) }
        } else if let other = mirror.known.first(where: { $0.value.place == place })?.key {
            // A record that the account has deleted since meets nothing.
            let rival = records[other]?.content == nil ? nil : other
            let rule = meeting(of: id, with: rival)
            if rule != .arrived { note(rule) }
            if rule == .higherRecordDropped { return write(nil, record.view, to: id) }
            if let rival { write(nil, record.view, to: rival) }
            mirror.known[other] = nil
        }
        let stored = try keychain.put(content)
        mirror.known[id] = Known(
            place: place, mark: stored ?? mark, change: record.change, label: label,
            waiting: stored == nil ? content : nil)
        if let stored { marks[place] = stored }
        note(stored == nil ? .waitsForUnlock : .arrived)
    }
}

extension Cloud.Mirror {
    /// Notes the rule by which an item stays. Returns false if it was noted before and the item has not changed since.
    fileprivate mutating func notes(_ rule: SyncRule, at place: Keychain.Place, _ mark: Keychain.Mark) -> Bool {
        if let former = stayed[place], former.mark == mark, former.rule == rule { return false }
        stayed[place] = (mark, rule)
        return true
    }
}

extension SyncingKeychain {
    /// Returns the mark of each synchronizable item by its place.
    fileprivate mutating func marks() throws(Failure) -> [Place: Mark] {
        Dictionary(try rows().map { ($0.place, $0.mark) }, uniquingKeysWith: { $1 })
    }
}
