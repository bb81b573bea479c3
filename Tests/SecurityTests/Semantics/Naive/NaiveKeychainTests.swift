import Foundation
import LatchkeyTesting
import Security
import TestSupport
import Testing

/// Semantics 3: thousands of random dictionaries, for the calls and for a plain list that is searched by loops.
@Suite struct NaiveKeychainTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func theCallsDoWhatAListDoes(_ seed: UInt64) throws {
        let device = SimulatedDevice(app: Run.apps[0])
        let outcomes = try device.run {
            var run = Run(device, seed)
            for step in 0..<2500 { try run.step(step) }
            return run.outcomes
        }
        // Every kind of call succeeded at least once, and got every refusal.
        let least: [String: Int] = [
            "add 0": 100, "add -25299": 20, "add -34018": 5, "add -25303": 5, "add -50": 5, "copy 0": 200,
            "copy -25300": 50, "copy -34018": 5, "copy -25303": 5, "copy -50": 10, "copy -25306": 3, "update 0": 30,
            "update -25299": 3, "update -25300": 20, "update -50": 10, "update -25303": 5, "delete 0": 20,
            "delete -25300": 10, "delete -50": 5,
        ]
        for (outcome, count) in least { #expect(outcomes[outcome, default: 0] >= count, "\(outcome)") }
    }

    private struct Run {
        static let apps = [App(identifier: "a", groups: ["b"]), App(identifier: "b", groups: ["c"])]
        private static let groups = [["a", "b"], ["b", "c"]]
        private static let accessibilities = ["ak", "ck", "dk", "aku", "cku", "dku", "akpu"]

        let device: SimulatedDevice
        var naive = NaiveKeychain()
        var random: SeededGenerator
        var app = 0
        var outcomes: [String: Int] = [:]
        /// The attributes of a found item.
        var found: [String: Any] = [:]

        init(_ device: SimulatedDevice, _ seed: UInt64) {
            self.device = device
            random = SeededGenerator(seed: seed)
        }

        var groups: [String] { Self.groups[app] }

        mutating func step(_ step: Int) throws {
            if random.once(in: 10) {
                app = 1 - app
                device.app = Self.apps[app]
            }
            if random.once(in: 20) {
                let milliseconds = Int.random(in: 1...5000, using: &random)
                device.advance(by: .milliseconds(milliseconds))
                naive.now += Int64(milliseconds)
            }
            switch random.pick(["add", "add", "add", "copy", "copy", "copy", "copy", "update", "update", "delete"]) {
            case "add": try add(step)
            case "copy": try copy(step)
            case "update": try update(step)
            default: try delete(step)
            }
        }

        // MARK: - Dictionaries

        private mutating func value() -> Any {
            let values: [Any] = [
                "x", "X", "", "7", "007", Data("x".utf8), Data(), Data([0, 255]), 0, 7, "caf\u{E9}", "cafe\u{301}",
            ]
            return random.once(in: 80) ? random.pick([NSNull() as Any, Date(), [1]]) : random.pick(values)
        }

        private mutating func attributes(_ itemClass: String, upTo count: Int) -> [String: Any] {
            var attributes: [String: Any] = [:]
            let names = NaiveKeychain.attributes[itemClass] ?? ["acct"]
            for _ in 0..<Int.random(in: 0...count, using: &random) {
                let name = random.once(in: 2) ? random.pick(names) : random.pick(["acct", "acct", "labl", "invi"])
                attributes[name] = name == "invi" && random.once(in: 2) ? Bool.random(using: &random) : value()
            }
            if random.once(in: 40) { attributes[random.pick(["svce", "srvr", "what", "atag", "label"])] = "x" }
            if random.once(in: 60) { attributes["nleg"] = true }
            return attributes
        }

        private mutating func common(_ dictionary: inout [String: Any]) {
            if random.once(in: 4) { dictionary["agrp"] = random.pick(["a", "b", "b", "c", "d"]) }
            if random.once(in: 3) {
                dictionary["sync"] = random.pick([true, false, "syna", "syna", "1", "0"] as [Any])
            }
            if random.once(in: 5) { dictionary["pdmn"] = random.pick(Self.accessibilities) }
            if random.once(in: 80) { dictionary["pdmn"] = random.pick(["f", "x"]) }
        }

        private mutating func query(changing: Bool) -> [String: Any] {
            var query: [String: Any] = [:]
            if random.once(in: 8), let row = naive.rows.randomElement(using: &random) {
                query["v_PersistentRef"] = row.reference
                if random.once(in: 3) { query["class"] = random.once(in: 4) ? "inet" : row.itemClass }
                if random.once(in: 6) { query["acct"] = "x" }
                if random.once(in: 9) { query["sync"] = false }
            } else if random.once(in: 10), !found.isEmpty {
                query = found
            } else {
                let itemClass = random.pick(["genp", "genp", "inet"])
                query = attributes(itemClass, upTo: 2)
                query["class"] = itemClass
                common(&query)
                if random.once(in: 50) { query["class"] = random.once(in: 2) ? nil : "what" }
                if random.once(in: 12), let row = naive.rows.randomElement(using: &random) {
                    let name = random.pick(["cdat", "mdat"])
                    let milliseconds = row.values[name]?.base as? Int64 ?? 0
                    query[name] = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
                }
            }
            if !changing || random.once(in: 15) { returns(&query) }
            if !changing || random.once(in: 25) {
                let limit = random.pick([nil, "m_LimitOne", "m_LimitAll", "m_LimitAll", 1, 2, 5, 0, -1, -3] as [Any?])
                if let limit { query["m_Limit"] = limit }
            }
            if random.once(in: 30) { query["v_Data"] = random.once(in: 3) ? "no data" : Data("other".utf8) as Any }
            if random.once(in: 60) { query["m_CaseInsensitive"] = true }
            return query
        }

        private mutating func returns(_ query: inout [String: Any]) {
            for key in ["r_Data", "r_Attributes", "r_PersistentRef"] where random.once(in: 2) { query[key] = true }
            if random.once(in: 10) { query["r_Ref"] = true }
            if random.once(in: 10) { query["r_Data"] = false }
        }

        // MARK: - Calls

        /// Returns true if the call succeeded as the list did. Otherwise both have to fail alike.
        private mutating func agree(
            _ name: String, _ step: Int, _ status: OSStatus, _ refused: NaiveKeychain.Refused?, _ about: [String: Any]
        ) -> Bool {
            outcomes["\(name) \(status)", default: 0] += 1
            let expected = refused?.statuses ?? [0]
            #expect(expected.contains(status), "\(name) \(about), step \(step)")
            return status == 0 && refused == nil
        }

        private mutating func add(_ step: Int) throws {
            let itemClass = random.pick(["genp", "genp", "inet"])
            var item = attributes(itemClass, upTo: 4)
            item["class"] = itemClass
            common(&item)
            if !random.once(in: 4) { item["v_Data"] = Data("secret \(step)".utf8) }
            if random.once(in: 40) { item["v_Data"] = random.once(in: 2) ? "text" : Data() as Any }
            if random.once(in: 40) { item["class"] = random.once(in: 2) ? nil : "what" }
            if random.once(in: 20) { item["cdat"] = Date() }
            item["r_PersistentRef"] = true
            var result: CFTypeRef?
            let status = SecItemAdd(item as CFDictionary, &result)
            var refused: NaiveKeychain.Refused?
            do throws(NaiveKeychain.Refused) { try naive.add(item, groups: groups) } catch { refused = error }
            guard agree("add", step, status, refused, item) else { return }
            naive.rows[naive.rows.count - 1].reference = try #require(result as? Data)
        }

        private mutating func copy(_ step: Int) throws {
            let query = query(changing: false)
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            var refused: NaiveKeychain.Refused?
            var expected: NaiveKeychain.Found?
            do throws(NaiveKeychain.Refused) { expected = try naive.copy(query, groups: groups) } catch {
                refused = error
            }
            guard agree("copy", step, status, refused, query), let expected else { return }
            #expect(expected.admits(result), "copy \(query) gave \(result as Any), step \(step)")
            if var attributes = result as? [String: Any], attributes["accc"] != nil {
                attributes["class"] = attributes["class"] ?? query["class"] ?? expected.rows[0].itemClass
                found = attributes.filter { !["sha1", "v_PersistentRef"].contains($0.key) }
            }
        }

        private mutating func update(_ step: Int) throws {
            let query = query(changing: true)
            var changes = attributes(random.pick(["genp", "inet"]), upTo: 2)
            if random.once(in: 2) { common(&changes) }
            if random.once(in: 2) { changes["v_Data"] = Data("changed \(step)".utf8) }
            if random.once(in: 40) { changes["v_Data"] = random.once(in: 2) ? "text" : NSNull() as Any }
            if random.once(in: 40) { changes["class"] = "genp" }
            if random.once(in: 40) { changes[random.pick(["r_Data", "u_AuthUI", "m_Limit"])] = true }
            if random.once(in: 15) { changes["cdat"] = Date(timeIntervalSinceReferenceDate: Double(step)) }
            let status = SecItemUpdate(query as CFDictionary, changes as CFDictionary)
            var refused: NaiveKeychain.Refused?
            do throws(NaiveKeychain.Refused) { try naive.update(query, changes, groups: groups) } catch {
                refused = error
            }
            _ = agree("update", step, status, refused, query.merging(changes.map { ("→\($0.key)", $0.value) }) { $1 })
        }

        private mutating func delete(_ step: Int) throws {
            let query = query(changing: true)
            // Without this, nearly every item would be deleted each time.
            if query.count < 2 && !random.once(in: 10) { return }
            let status = SecItemDelete(query as CFDictionary)
            var refused: NaiveKeychain.Refused?
            do throws(NaiveKeychain.Refused) { try naive.delete(query, groups: groups) } catch { refused = error }
            _ = agree("delete", step, status, refused, query)
        }
    }
}
