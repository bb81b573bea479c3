import AccessPolicy
import DeviceModel
import TestSupport
import Testing

@testable import PolicyProver

/// A situation in five words of memory is the situation itself.
@Suite struct CodecTests {
    static let sensors: [SensorKind] = [.touchID, .faceID, .opticID]

    static func scene(_ sensor: SensorKind, fingers: Int) throws -> Scene {
        let flags: [AccessControlFlags] = [
            [], .userPresence, .biometryCurrentSet, [.biometryAny, .applicationPassword], .companion,
        ]
        let classes: [Accessibility] = [.always, .whenPasscodeSetThisDeviceOnly, .whenUnlocked]
        var items: [Item] = []
        for (place, flags) in flags.enumerated() {
            items.append(Item(try AccessControl(protection: classes[place % classes.count], flags: flags)))
        }
        return try Scene(DeviceSettings(sensor: sensor), fingers: fingers, storing: items)
    }

    /// Whatever is written is read again as the normal form of the world that it was, which a search of its own confirms.
    @Test(arguments: sensors, Profile.all) func whatIsWrittenIsReadAgain(_ sensor: SensorKind, _ profile: Profile)
        throws
    {
        let scene = try Self.scene(sensor, fingers: 2)
        let search = Search(scene, [profile])
        let begin = scene.beginning(for: profile)
        var random = SeededGenerator(seed: UInt64(sensor.rawValue) * 100 + UInt64(profile.name.utf8.count))
        var distinct: Set<Key> = []
        for _ in 0..<60 {
            var situation = begin
            for _ in 0..<25 {
                let key = search.codec.key(situation)
                distinct.insert(key)
                let again = search.codec.situation(key)
                #expect(again.world == situation.world.normalised)
                #expect(again.timeLeft == situation.timeLeft)
                #expect(again.isCompanionNew == situation.isCompanionNew)
                #expect(again.hasSeenEnrolmentChange == situation.hasSeenEnrolmentChange)
                #expect(search.codec.key(again) == key)
                var next: [Situation] = []
                search.eachMove(in: situation) { _, _, after in next.append(after) }
                guard let chosen = next.randomElement(using: &random) else { break }
                situation = chosen
            }
        }
        let isAtItsEnd = [.erased, .backup].contains(profile.holds)
        #expect(distinct.count > (isAtItsEnd ? 0 : 5))
    }

    /// Two keys are equal only where the worlds are: nothing that a normal world keeps is left out.
    @Test func differentWorldsHaveDifferentKeys() throws {
        let scene = try Self.scene(.faceID, fingers: 2)
        var search = Search(scene, [.passcodeThief], limits: Limits(situations: 4000))
        search.run()
        var worlds: [Situation: Key] = [:]
        for key in search.found.keys {
            #expect(worlds.updateValue(key, forKey: search.codec.situation(key)) == nil)
        }
        #expect(worlds.count == search.found.count && worlds.count > 1000)
    }

    /// A story's steps are legal moves of people on a plain world, and end in what it says.
    @Test(arguments: Profile.all) func storiesAreLegal(_ profile: Profile) throws {
        let scene = try Self.scene(.touchID, fingers: 1)
        let threats = Threats(scene, profiles: [profile])
        for item in scene.items.indices {
            for aim in Aim.allCases {
                guard let story = threats.story(0, aim, of: item) else { continue }
                #expect(threats.cell(0, aim, of: item) == .steps(story.steps.count))
                let actor = Actor.company([profile], at: scene)[0]
                var situation = scene.beginning(for: profile)
                for step in story.steps {
                    let happens = situation.take(step.move.deed, by: actor)
                    #expect(happens)
                }
                #expect(aim != .destroy || situation.isGone(scene.items[item]))
            }
        }
    }
}
