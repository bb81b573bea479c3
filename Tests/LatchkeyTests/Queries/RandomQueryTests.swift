import AccessPolicy
import Latchkey
import SecretVault
import SodiumKit
import TestSupport
import Testing
import UserPresence

/// Semantics 3: thousands of random calls, on the keychain and on a plain list that is searched by loops.
@Suite struct RandomQueryTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theKeychainDoesWhatAListDoes(_ seed: UInt64) throws {
        var run = try Run(seed)
        for step in 0..<2500 { try run.step(step) }
        // Every kind of call has succeeded at least once, and failed at least once.
        #expect(run.outcomes["add 0", default: 0] > 50 && run.outcomes["add -25299", default: 0] > 20)
        #expect(run.outcomes["find 0", default: 0] > 100 && run.outcomes["find -25300", default: 0] > 50)
        #expect(run.outcomes["update 0", default: 0] > 20 && run.outcomes["update -25299", default: 0] > 3)
        #expect(run.outcomes["delete 0", default: 0] > 10 && run.outcomes["delete -25300", default: 0] > 5)
    }

    struct Run {
        private static let requesters = [
            Requester("one", groups: ["a", "b"]), Requester("two", groups: ["b", "c"]),
        ]
        private static let values: [AttributeValue] = [
            .string("x"), .string("X"), .string(""), .string("7"), .data([0x78]), .data([]), .data([0, 255]),
            .number(0), .number(7), .data([7, 0, 0, 0]), .string("caf\u{E9}"), .string("cafe\u{301}"),
        ]

        let keychain: Keychain
        var naive = NaiveItems()
        var random: SeededGenerator
        var outcomes: [String: Int] = [:]

        init(_ seed: UInt64) throws {
            keychain = try Keychain.simulated(user: NoUser())
            random = SeededGenerator(seed: seed)
        }

        mutating func step(_ step: Int) throws {
            let requester = random.pick(Self.requesters)
            switch random.pick(["add", "add", "add", "find", "find", "find", "find", "update", "update", "delete"]) {
            case "add": try add(requester, step)
            case "find": try find(requester, step)
            case "update": try update(requester, step)
            default: try delete(requester, step)
            }
        }

        // MARK: - Requests

        private mutating func attributes(_ itemClass: ItemClass, upTo count: Int) -> Attributes {
            var attributes = Attributes()
            let names = NaiveItems.attributes[itemClass] ?? []
            for _ in 0..<Int.random(in: 0...count, using: &random) {
                // Attributes of the key are drawn more often, because random items would otherwise never collide.
                let name = random.once(in: 2) ? random.pick(names) : random.pick(["acct", "acct", "labl", "invi"])
                attributes[name] = random.pick(Self.values)
            }
            if random.once(in: 40) { attributes[random.pick(["svce", "srvr", "none", "atag"])] = .string("x") }
            return attributes
        }

        private mutating func query() -> ItemQuery {
            if random.once(in: 6), let item = naive.items.randomElement(using: &random) { return ItemQuery(item.id) }
            let itemClass = random.pick([ItemClass.genericPassword, .genericPassword, .internetPassword])
            var query = ItemQuery(itemClass, attributes(itemClass, upTo: 2))
            query.synchronizable = random.pick([.no, .no, .yes, .either])
            if random.once(in: 4) { query.group = random.pick(["a", "b", "b", "c", "d"]) }
            if random.once(in: 5) { query.accessible = random.pick(Accessibility.allCases) }
            if random.once(in: 10), let item = naive.items.randomElement(using: &random) {
                query.attributes["cdat"] = .date(item.created)
            }
            return query
        }

        // MARK: - Calls

        /// Returns true if the keychain ended as the list did, which it may do only with one of Apple's numbers.
        private mutating func agree(
            _ name: String, _ step: Int, _ expected: () throws -> Void, _ body: () throws -> Void
        ) throws -> Bool {
            var codes: Set<Int32> = [0]
            do { try expected() } catch let refused as NaiveItems.Refused { codes = refused.codes }
            let outcome = try code(body)
            outcomes["\(name) \(outcome)", default: 0] += 1
            #expect(codes.contains(outcome), "\(name), step \(step)")
            return outcome == 0 && codes == [0]
        }

        private mutating func add(_ requester: Requester, _ step: Int) throws {
            let itemClass = random.pick([ItemClass.genericPassword, .genericPassword, .internetPassword])
            var new = NewItem(itemClass, attributes(itemClass, upTo: 4))
            if random.once(in: 3) { new.control = AccessControl(random.pick(Accessibility.allCases)) }
            if random.once(in: 3) { new.group = random.pick(["a", "b", "b", "c", "d"]) }
            new.isSynchronizable = random.once(in: 3)
            let secret = random.once(in: 4) ? nil : "secret \(step)"
            var item: NaiveItems.Item?
            var id: ItemIdentifier?
            let (list, keychain, adding) = (naive, keychain, new)
            let isThere = try agree("add", step) {
                item = try list.adding(adding, secret, groups: requester.groups)
            } _: {
                if let secret {
                    id = try keychain.store(adding, secret, by: requester)
                } else {
                    id = try keychain.add(adding, by: requester)
                }
            }
            guard isThere, var item, let id else { return }
            item.id = id
            item.created = try keychain.stored(id, by: requester).created
            naive.items.append(item)
        }

        private mutating func find(_ requester: Requester, _ step: Int) throws {
            var query = query()
            query.limit = random.pick([nil, .one, .upTo(1), .upTo(2), .upTo(5), .all, .all])
            query.wanted = ItemQuery.Parts(rawValue: UInt8.random(in: 0..<8, using: &random))
            let limit =
                switch query.limit {
                case nil, .one: 1
                case .upTo(let count): count
                case .all: Int.max
                }
            var places: [Int] = []
            var found: [FoundEntry] = []
            let (list, keychain, wanted) = (naive, keychain, query)
            let isThere = try agree("find", step) {
                places = try list.matches(wanted, groups: requester.groups)
            } _: {
                found = try keychain.find(wanted, by: requester)
            }
            guard isThere else { return }
            let matching = Dictionary(uniqueKeysWithValues: places.map { (list.items[$0].id, list.items[$0]) })
            #expect(found.count == min(limit, places.count), "step \(step)")
            #expect(Set(found.map(\.id)).count == found.count, "step \(step)")
            for entry in found {
                guard let item = matching[entry.id] else {
                    Issue.record("step \(step): \(entry.id) does not match")
                    continue
                }
                #expect(entry.itemClass == item.itemClass)
                #expect((entry.secret?.bytes.text()) == (wanted.wanted.contains(.data) ? item.secret : nil))
                #expect((entry.stored == nil) == !wanted.wanted.contains(.attributes))
                guard let stored = entry.stored else { continue }
                #expect(stored.description.attributes.values == item.attributes, "step \(step)")
                #expect(stored.description.control == AccessControl(item.protection))
                #expect(stored.description.group == item.group)
                #expect(stored.description.isSynchronizable == item.isSynchronizable)
                #expect(stored.created == item.created && stored.modified >= item.created)
            }
        }

        private mutating func update(_ requester: Requester, _ step: Int) throws {
            let query = query()
            var changes = ItemChanges()
            changes.merging = attributes(random.pick([.genericPassword, .internetPassword]), upTo: 2)
            if random.once(in: 6) { changes.group = random.pick(["a", "b", "b", "c", "d"]) }
            if random.once(in: 6) { changes.isSynchronizable = Bool.random(using: &random) }
            if random.once(in: 6) { changes.control = AccessControl(random.pick(Accessibility.allCases)) }
            let secret = random.once(in: 2) ? "changed \(step)" : nil
            var list = naive
            let (keychain, changing) = (keychain, changes)
            _ = try agree("update", step) {
                try list.update(query, changing, secret: secret, groups: requester.groups)
            } _: {
                let change: SecretChange =
                    if let secret { .replace(try SecureBytes(secret)) } else { .keep }
                try keychain.update(query, changing, secret: change, by: requester)
            }
            naive = list
        }

        private mutating func delete(_ requester: Requester, _ step: Int) throws {
            let query = query()
            // Without this, nearly every item would be deleted each time.
            if query.reference == nil && query.attributes.values.isEmpty && !random.once(in: 10) { return }
            var places: [Int] = []
            var deleted: [ItemIdentifier] = []
            let (list, keychain) = (naive, keychain)
            let isThere = try agree("delete", step) {
                places = try list.removals(query, groups: requester.groups)
            } _: {
                deleted = try keychain.delete(query, by: requester)
            }
            guard isThere else { return }
            #expect(Set(deleted) == Set(places.map { list.items[$0].id }), "step \(step)")
            naive.items.removeAll { deleted.contains($0.id) }
        }
    }
}
