import AccessPolicy
import DeviceModel
import TestSupport
import Testing

/// The life of items in a world: semantics 3.5, 3.9, 4.4 to 4.7 and 5.
@Suite struct WorldTests {
    @Test func anEnrollmentChangeLosesTheCurrentSetAndTheFirstReadTakesItAway() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        world.apply(.enrolled(Cast.thumb))
        #expect(world[slot]?.isPresent == true)
        #expect(world.read(slot) == "biometry.current-set.changed")
        #expect(world[slot]?.isPresent == false)
        #expect(world.read(slot) == "item.not-found")
        #expect(world.perform(Call(.add, slot, by: Cast.owner)).verdict == "granted")
        #expect(world.read(slot) == "granted")
    }

    @Test func takingTheNewFingerAwayBringsNothingBack() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        world.apply(.enrolled(Cast.thumb))
        world.apply(.removed(Cast.thumb))
        #expect(world.read(slot) == "biometry.current-set.changed")
    }

    @Test func withNobodyEnrolledTheItemStaysAndIsSaidToNeedEnrollment() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        world.apply(.removed(Cast.index))
        #expect(world.read(slot) == "biometry.not-enrolled")
        #expect(world[slot]?.isPresent == true)
        world.apply(.enrolled(Cast.index))
        #expect(world.read(slot) == "biometry.current-set.changed")
    }

    @Test func aChangedSetToldAsAFailureKeepsTheItem() {
        var settings = DeviceSettings()
        settings.fidelity.changedSet = .authFailed
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet), on: Cast.device(settings))
        world.apply(.enrolled(Cast.thumb))
        #expect(world.read(slot) == "biometry.current-set.changed")
        #expect(world[slot]?.isPresent == true)
        #expect(world.perform(Call(.add, slot, by: Cast.owner)).verdict == "granted", "an add replaces it all the same")
    }

    @Test func anAddOverALostItemReplacesItAndOverALiveOneAuthenticatesFirst() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        let live = world.perform(Call(.add, slot, by: Cast.owner))
        #expect(live.verdict == "item.duplicate")
        #expect(Array(live.prompts) == [.biometry])
        #expect(
            world.perform(Call(.add, slot, by: Cast.owner, interaction: .fail)).verdict == "interaction.not-allowed")
        world.apply(.enrolled(Cast.thumb))
        #expect(world.perform(Call(.add, slot, by: Cast.owner, interaction: .fail)).verdict == "granted")
    }

    @Test func passcodeOrCurrentSetSurvivesThroughItsPasscodeWay() {
        var (world, slot) = Cast.world(Cast.control([.biometryCurrentSet, .or, .devicePasscode]))
        world.apply(.enrolled(Cast.thumb))
        let outcome = world.perform(Call(.readData, slot, by: Cast.owner))
        #expect(outcome.verdict == "granted")
        #expect(Array(outcome.prompts) == [.passcode])
    }

    @Test func removingThePasscodeDestroysWhatNeedsOneAndKeepsTheRest() {
        for protection in Accessibility.allCases {
            for flags in [AccessControlFlags(), .userPresence, .devicePasscode] {
                var (world, slot) = Cast.world(Cast.control(flags, protection))
                world.apply(.passcodeRemoved)
                let isDestroyed = protection == .whenPasscodeSetThisDeviceOnly
                let bare = world.read(slot)
                #expect(bare == (isDestroyed ? "class.destroyed" : flags == [] ? "granted" : "passcode.not-set"))
                world.apply(.passcodeSet(Cast.right))
                #expect(world.read(slot) == (isDestroyed ? "item.not-found" : "granted"), "\(protection) \(flags)")
            }
        }
    }

    @Test func withoutAPasscodeNothingThatNeedsOneCanBeAdded() {
        var world = World(Device())
        for (flags, protection, verdict) in [
            ([], .whenPasscodeSetThisDeviceOnly, "class.passcode-not-set"),
            (.userPresence, .whenUnlocked, "passcode.not-set"),
            (.biometryAny, .whenUnlocked, "biometry.not-enrolled"), ([], .whenUnlocked, "granted"),
        ] as [(AccessControlFlags, Accessibility, String)] {
            let slot = world.place(Item(Cast.control(flags, protection)), stored: false)
            #expect(world.perform(Call(.add, slot, by: Cast.owner)).verdict == verdict)
        }
    }

    // Semantics 4.4, row by row: the prompts that the owner gets for each call on a protected item.
    @Test(arguments: Action.allCases) func callsOnAProtectedItemAskAsTheTableSays(_ action: Action) throws {
        let calls = try FixtureTable("calls").byFirst
        let row = try #require(calls["\(action)"])
        let isKeyUse = ["osgn", "ock", "okd", "oa"].contains(row[0])
        let control = Cast.control(isKeyUse ? [.biometryAny, .privateKeyUsage] : .biometryAny)
        var world = World(Cast.device())
        let item = Item(control, isKey: isKeyUse)
        let slot = world.place(item, stored: action != .add)
        let asks = row[0] == "od" || ["osgn", "ock", "okd"].contains(row[0])
        #expect(
            world.perform(Call(action, slot, by: Cast.owner, interaction: .fail)).verdict
                == (asks ? "interaction.not-allowed" : "granted"))
        let opened = action == .checkDuplicate ? "item.duplicate" : "granted"
        if action == .delete || action == .add { return }
        let outcome = world.perform(Call(action, slot, by: Cast.owner))
        #expect(outcome.verdict == opened)
        #expect(Array(outcome.prompts) == (asks ? [.biometry] : []))
    }

    @Test func aContextThatIsAuthenticatedAsksNoMoreUntilTheDeviceLocks() {
        var (world, slot) = Cast.world(Cast.control(.biometryAny))
        var context = Context()
        let call = Call(.readData, slot, by: Cast.owner)
        #expect(Array(world.perform(call, in: &context).prompts) == [.biometry])
        #expect(world.perform(call, in: &context).prompts.isEmpty)
        world.apply(.lock)
        #expect(world.perform(call, in: &context).verdict == "granted", "within the grace")
        world.apply(.timePassed(.seconds(10)))
        world.apply(.presented(Cast.index))
        #expect(Array(world.perform(call, in: &context).prompts) == [.biometry])
    }

    @Test func anUnlockByBiometryIsReusedOnlyWhereTheContextAsksForIt() {
        var (world, slot) = Cast.world(Cast.control(.biometryAny))
        for event in [Event.lock, .timePassed(.seconds(10)), .presented(Cast.index), .timePassed(.seconds(20))] {
            world.apply(event)
        }
        var context = Context()
        context.reuse = .seconds(30)
        let call = Call(.readData, slot, by: .absent)
        #expect(world.perform(call, in: &context).verdict == "granted")
        #expect(world.perform(call).verdict == "sheet.cancelled")
        world.apply(.timePassed(.seconds(11)))
        #expect(world.perform(call, in: &context).verdict == "sheet.cancelled")
    }

    // Semantics 4.7.
    @Test func theApplicationPasswordIsTriedUnaskedAndAWrongOneIsAskedFor() {
        var (world, slot) = Cast.world(Cast.control(.applicationPassword), applicationPassword: 1)
        func read(_ password: UInt8, _ interaction: Interaction, by person: Person = Cast.owner) -> Outcome {
            var call = Call(.readData, slot, by: person, interaction: interaction)
            call.applicationPassword = password
            return world.perform(call)
        }
        #expect(read(1, .fail).verdict == "granted")
        #expect(read(2, .fail).verdict == "application-password.wrong")
        #expect(read(0, .fail).verdict == "application-password.missing")
        #expect(read(0, .skip).verdict == "interaction.skipped")
        #expect(Array(read(2, .allowed).prompts) == [.applicationPassword])
        #expect(read(2, .allowed, by: Cast.stranger).verdict == "sheet.cancelled")
        #expect(world.perform(Call(.delete, slot, by: .absent)).verdict == "granted")
    }

    @Test func anApplicationPasswordProvesNothingForAnotherItem() {
        let control = Cast.control(.applicationPassword)
        var world = World(Cast.device())
        let one = world.place(Item(control), applicationPassword: 1)
        let other = world.place(Item(control), applicationPassword: 2)
        var context = Context()
        #expect(world.perform(Call(.readData, one, by: Cast.owner), in: &context).verdict == "granted")
        #expect(world.perform(Call(.readData, one, by: .absent), in: &context).verdict == "granted")
        #expect(world.perform(Call(.readData, other, by: .absent), in: &context).verdict == "sheet.cancelled")
    }

    @Test func anAddAsksForTheApplicationPasswordItIsToHave() {
        var world = World(Cast.device())
        let slot = world.place(Item(Cast.control(.applicationPassword)), stored: false)
        #expect(
            world.perform(Call(.add, slot, by: Cast.owner, interaction: .fail)).verdict == "interaction.not-allowed")
        #expect(Array(world.perform(Call(.add, slot, by: Cast.owner)).prompts) == [.applicationPassword])
        #expect(world[slot]?.applicationPassword == Cast.owner.applicationPassword)
        #expect(world.read(slot) == "granted")
    }

    @Test func anUpdateAuthenticatesAndMayChangeTheDemand() {
        var (world, slot) = Cast.world(Cast.control(.biometryCurrentSet))
        let looser = Cast.control(.devicePasscode)
        func update(by person: Person) -> Outcome {
            world.perform(Call(.item(slot, .update, control: looser), by: person))
        }
        #expect(update(by: Cast.passcodeThief).verdict == "sheet.failed")
        #expect(world[slot]?.item.control == Cast.control(.biometryCurrentSet))
        guard case .granted(let grant) = update(by: Cast.owner).decision else {
            Issue.record("the owner may")
            return
        }
        #expect(grant.way == [.biometry], "as it was opened, not as it is stored")
        #expect(world[slot]?.item.control == looser)
        #expect(world.read(slot, by: Cast.passcodeThief) == "granted")
    }

    @Test func backupsBringBackWhatTheTableSays() throws {
        for row in try FixtureTable("backups").rows {
            let protection = try #require(Accessibility(rawValue: row[0]))
            for (column, (encrypted, same)) in [(false, true), (false, false), (true, true), (true, false)].enumerated()
            {
                for (control, returns) in [
                    (AccessControl(protection), row[column + 1] == "yes"),
                    (Cast.control(.userPresence, protection), false),
                ] {
                    var (world, slot) = Cast.world(control)
                    world.apply(.backupTaken(encrypted: encrypted))
                    world.apply(same ? .restoredOntoThisDevice : .restoredOntoAnotherDevice)
                    #expect(world[slot]?.isPresent == returns, "\(control), encrypted \(encrypted), same \(same)")
                    if returns { #expect(world.read(slot) == "granted") }
                }
            }
        }
        var world = World(Cast.device())
        #expect(world.apply(.restoredOntoThisDevice).refusal == .noBackup)
    }

    @Test func aBackupOfAnotherDeviceBringsNothingOfItsOwnBackLater() {
        var (world, slot) = Cast.world(AccessControl(.whenUnlockedThisDeviceOnly))
        world.apply(.backupTaken(encrypted: true))
        world.apply(.restoredOntoAnotherDevice)
        world.apply(.restoredOntoThisDevice)
        #expect(world[slot]?.isPresent == false)
    }

    /// A person who tries to change the passcode to the present one learns nothing from the refusal.
    @Test func thePresentPasscodeIsTypedBeforeAnotherIsComparedWithIt() {
        for code in [Cast.right, Cast.code(7)] {
            var world = World(Cast.device())
            #expect(world.act(.passcodeChanged(code), by: .absent).refusal == .personCannot)
            #expect(world.act(.passcodeChanged(code), by: Cast.stranger).first == .rejected(.passcode))
            #expect(world.device.wrongPasscodes.count == 1)
        }
        var world = World(Cast.device())
        #expect(world.act(.passcodeChanged(Cast.right), by: Cast.owner).refusal == .nothingToChange)
    }

    @Test func settingsAskPeopleForThePasscode() {
        for event in [
            Event.enrolled(Cast.thumb), .removed(Cast.index), .biometryReset, .passcodeChanged(Cast.wrong),
            .passcodeRemoved, .erase, .backupTaken(encrypted: true),
        ] {
            var world = World(Cast.device())
            #expect(world.act(event, by: .absent).refusal == .personCannot)
            #expect(world.act(event, by: Cast.stranger).first == .rejected(.passcode))
            #expect(world.device.wrongPasscodes == [Cast.wrong])
            #expect(world.act(event, by: Cast.passcodeThief).refusal == nil)
            var locked = World(Cast.device())
            locked.apply(.lock)
            #expect(locked.act(event, by: Cast.owner).refusal == .deviceLocked)
        }
    }

    @Test func peopleShowAndTypeOnlyWhatTheyHave() {
        var world = World(Cast.device())
        #expect(world.act(.presented(Cast.index), by: Cast.stranger).refusal == .personCannot)
        #expect(world.act(.passcodeEntered(Cast.right), by: Cast.stranger).refusal == .personCannot)
        #expect(world.act(.passcodeEntered(Cast.right), by: Cast.owner).authenticated(.passcode))
    }

    @Test func aDifferentAppSeesNothingOfTheItem() throws {
        var (world, slot) = Cast.world(AccessControl(.always))
        let other = try #require(AppID(rawValue: 1))
        let otherGroup = try #require(AccessGroup(rawValue: 1))
        world.apply(.appInstalled(other, App(groups: [otherGroup])))
        let read = Call(.item(slot, .readData, control: nil), app: other, by: Cast.owner)
        #expect(world.perform(read).verdict == "group.hidden")
        var named = read
        named.namesGroup = true
        #expect(world.perform(named).verdict == "group.named")
        world.apply(.appRemoved(other))
        #expect(world.perform(read).verdict == "group.none")
    }
}
