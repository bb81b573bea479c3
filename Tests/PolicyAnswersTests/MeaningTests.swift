import AccessPolicy
import DeviceModel
import Foundation
import PlainText
import PolicyAnswers
import PolicyProver
import TestSupport
import Testing

/// The meaning of a policy in sentences, in Swift and in OWASP's tests.
@Suite struct MeaningTests {
    private static func texts(_ value: JSON?) -> [String] {
        guard case .array(let values)? = value else { return [] }
        return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    @Test func aPolicyIsToldInPlainSentences() throws {
        let strict = try Answers.of(
            #"{"ask":"policy","accessible":"whenPasscodeSetThisDeviceOnly","require":"biometryCurrentSet devicePasscode"}"#
        )
        #expect(
            Self.texts(strict["means"]) == [
                "The item opens only while the device is unlocked. If the owner removes the passcode, it is destroyed.",
                "To read it takes an enrolled finger and the passcode.",
                "If a finger is added or removed, the item is invalidated for good, for the owner too.",
                "It never leaves this device: no backup contains it.", "Deleting it asks for nothing, as always.",
            ])
        let open = try Answers.of(#"{"ask":"policy","accessible":"afterFirstUnlock"}"#)
        #expect(
            Self.texts(open["means"]) == [
                "The item opens once the device has been unlocked after a restart, also while it is locked.",
                "It asks for nothing: any app of its access group can read it.",
                "An encrypted backup carries it to another device; a backup without a password does not.",
                "Deleting it asks for nothing, as always.",
            ])
        let key = try Answers.of(
            #"{"ask":"policy","accessible":"afterFirstUnlock","device":"iPhoneWithFaceID","key":true,"require":"biometryAny or companion applicationPassword"}"#
        )
        #expect(
            Self.texts(key["means"]) == [
                "The key opens once the device has been unlocked after a restart, also while it is locked. But a locked "
                    + "device shows no prompt, so in effect it has to be unlocked.",
                "To use it takes the enrolled face and the application password, or a confirmation on the owner's watch "
                    + "and the application password.",
                "If you forget the application password, you lose the key.",
                "It also opens to a face that is enrolled later, and the passcode is enough to enroll one.",
                "It never leaves this device: no backup contains it. It never syncs, because it has flags.",
                "Deleting it asks for nothing, as always.",
            ])
    }

    /// Each sentence about backups and sync is what a world of the model does, for every policy.
    @Test(arguments: [false, true]) func theSentencesAboutTravelFollowFromTheModel(isKey: Bool) throws {
        var told: Set<String> = []
        for settings in [DeviceSettings(), DevicePreset.faceID.settings, DevicePreset.mac.settings] {
            for control in PolicySpace.policies(forKey: isKey) {
                let scene = try Scene(settings, storing: [Item(control, isKey: isKey)])
                func returns(encrypted: Bool, by event: Event) -> Bool {
                    var world = scene.world
                    world.apply(.backupTaken(encrypted: encrypted))
                    world.apply(.erase)
                    world.apply(event)
                    return world[scene.items[0]]?.isPresent == true
                }
                var sync: Rule?
                do throws(StoringError) {
                    _ = try Scene(settings, storing: [Item(control, isKey: isKey, isSynchronizable: true)])
                } catch { if case .denied(let denial) = error { sync = denial.rule } }
                let here = [true, false].map { returns(encrypted: $0, by: .restoredOntoThisDevice) }
                let elsewhere = [true, false].map { returns(encrypted: $0, by: .restoredOntoAnotherDevice) }
                let text = Meaning(control, isKey: isKey, on: settings).sentences.joined(separator: " ")
                let says = { (words: String) in
                    if text.contains(words) { told.insert(words) }
                    return text.contains(words)
                }
                #expect(says("An encrypted backup carries it to another device") == elsewhere[0], "\(control)")
                #expect(says("a backup without a password does not") == (elsewhere == [true, false]), "\(control)")
                #expect(says("It never leaves this device") == (elsewhere == [false, false]), "\(control)")
                let onlyHere = here == [true, true] && elsewhere == [false, false]
                #expect(says("a backup brings it back to this one only") == onlyHere, "\(control)")
                #expect(says("no backup contains it") == !(here + elsewhere).contains(true), "\(control)")
                if says("It never syncs, because it has flags") { #expect(sync == .addSynchronizableWithFlags) }
            }
        }
        #expect(told.count == (isKey ? 3 : 6))
    }

    @Test func aPolicyIsALineOfSwift() throws {
        let flags = try Answers.of(#"{"ask":"policy","require":"biometryAny or devicePasscode"}"#)
        #expect(
            flags["swift"]
                == .string(
                    "let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, "
                        + "[.biometryAny, .devicePasscode, .or], nil)!"))
        let plain = try Answers.of(#"{"ask":"policy","accessible":"always"}"#)
        #expect(plain["swift"] == .string("query[kSecAttrAccessible as String] = kSecAttrAccessibleAlways"))
    }

    /// The constants that the line of Swift names are those of our `Security`, which are Apple's.
    @Test func theConstantsExist() throws {
        let folder = Repository.root.appending(path: "Sources/Security")
        var text = ""
        for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init()
        where path.hasSuffix(".swift") {
            text += try String(contentsOf: folder.appending(path: path), encoding: .utf8)
        }
        for protection in Accessibility.allCases {
            #expect(text.contains("let \(protection.constant):"), "\(protection.constant)")
        }
        for flag in AccessControlFlag.allCases {
            let name = flag == .or || flag == .and ? "`?\(flag.name)`?" : flag.name
            #expect(text.contains(try Regex("static let \(name)\\b|static var \(name)\\b")), "\(flag.name)")
        }
    }

    @Test func aRefusedPolicySaysWhyAndNothingElse() throws {
        let answer = try Answers.of(#"{"ask":"policy","require":"biometryAny biometryCurrentSet"}"#)
        #expect(
            answer["refused"]
                == .string(
                    "biometryAny + biometryCurrentSet is refused: biometryAny and biometryCurrentSet cannot be combined "
                        + "(flags.two-biometries)"))
        #expect(answer["means"] == nil && answer["swift"] == nil)
    }

    @Test func everyFlagThatCannotBeAddedSaysWhy() throws {
        for flags in PolicySpace.flags(forKey: false) {
            let words = flags.members.map { "\"\($0.name)\"" }.joined(separator: ",")
            let answer = try Answers.of(#"{"ask":"policy","require":[\#(words)]}"#)
            guard case .array(let told)? = answer["flags"] else { throw Answers.NoAnswer(reply: words) }
            for (flag, told) in zip(AccessControlFlags.named, told) {
                guard case .object(let members) = told else { throw Answers.NoAnswer(reply: words) }
                let isRefused =
                    (try? AccessControl(protection: .whenUnlocked, flags: flags.union(flag.flag))) == nil
                #expect(members["name"] == .string(flag.name))
                #expect(members["isOn"] == .bool(flags.contains(flag.flag)))
                #expect((members["refused"] != .null) == isRefused, "\(words) and \(flag.name)")
            }
        }
    }

    @Test func theTestsOfOWASPAreProved() throws {
        let answer = try Answers.of(#"{"ask":"policy","require":"biometryAny"}"#)
        guard case .array(let tests)? = answer["owasp"] else { throw Answers.NoAnswer(reply: "owasp") }
        let passes = tests.map { test in
            if case .object(let members) = test { members["passes"] == .bool(true) } else { false }
        }
        #expect(passes == [true, true, false])
    }

    @Test func theWordsAreThoseOfTheCommand() throws {
        let words = try Answers.of(#"{"ask":"words"}"#)
        func names(_ list: String) -> [String] {
            guard case .array(let values)? = words[list] else { return [] }
            return values.compactMap {
                guard case .object(let members) = $0, case .string(let name)? = members["name"] else { return nil }
                return name
            }
        }
        #expect(names("classes") == Accessibility.allCases.map(\.name))
        #expect(names("flags") + ["none"] == AccessControlFlags.words)
        #expect(names("profiles") == Profile.all.map(\.name))
        #expect(names("aims") == Aim.ofItems.map(\.rawValue))
        #expect(names("claims") == ClaimKind.ofOneDevice.map(\.rawValue))
        #expect(names("assumptions") == Assumption.allCases.map(\.rawValue))
    }
}
