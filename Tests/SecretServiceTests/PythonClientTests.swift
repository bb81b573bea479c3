import SecretService
import TestSupport
import Testing

/// SecretStorage and keyring, the clients in Python.
@Suite(.waitsForProcesses) struct PythonClientTests {
    private static let hasSecretStorage = Desktop.hasPython("secretstorage")
    private static let hasKeyring = Desktop.hasPython("keyring.backends.SecretService")

    private static let storage = """
        import secretstorage, sys
        connection = secretstorage.dbus_init()
        collection = secretstorage.get_default_collection(connection)

        """

    @Test(.enabled(if: hasSecretStorage, "skipped: needs python3-secretstorage"))
    func secretStorageCreatesReadsChangesAndDeletes() throws {
        let desktop = try Desktop()
        let run = try desktop.python(
            Self.storage + """
                item = collection.create_item('Sample', {'service': 'mail'}, b'first')
                assert item.is_locked()
                assert not item.unlock()
                assert item.get_secret() == b'first', item.get_secret()
                item.set_secret(b'second')
                item.set_label('Other')
                item.set_attributes({'service': 'post'})
                assert item.get_label() == 'Other'
                assert item.get_attributes() == {'service': 'post'}
                assert item.get_secret_content_type() == 'text/plain'
                assert item.get_created() > 0 and item.get_modified() > 0
                found = list(secretstorage.search_items(connection, {'service': 'post'}))
                assert [i.get_secret() for i in found] == [b'second']
                again = collection.create_item('Third', {'service': 'post'}, b'third', replace=True)
                assert again.item_path == item.item_path
                twin = collection.create_item('Twin', {'service': 'post'}, b'', replace=False)
                assert twin.item_path != item.item_path
                assert sorted(i.get_label() for i in collection.get_all_items()) == ['Third', 'Twin']
                assert not twin.unlock()
                twin.delete()
                assert [i.get_label() for i in collection.get_all_items()] == ['Third']
                collection.set_label('Renamed')
                assert collection.get_label() == 'Renamed'
                collection.lock()
                assert collection.is_locked()
                """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(desktop.store.all.count == 1)
        #expect(desktop.store.text(of: desktop.store.all[0].id) == "third")
        #expect(desktop.store.collections.map { $0.label } == ["Renamed"])
    }

    @Test(
        .enabled(if: hasSecretStorage, "skipped: needs python3-secretstorage"), arguments: StoreInMemory.Answer.allCases
    )
    func secretStorageHearsOfADismissal(_ answer: StoreInMemory.Answer) throws {
        let desktop = try Desktop(millisecondsToAnswer: answer == .none ? 300 : 60_000)
        desktop.store.needsPrompt = false
        #expect(try desktop.python(Self.storage + "collection.create_item('Sample', {'a': 'b'}, b'x')").status == 0)
        desktop.store.needsPrompt = true
        desktop.store.answer = answer
        let run = try desktop.python(
            Self.storage + """
                import jeepney
                item = next(collection.search_items({'a': 'b'}))
                # It says that it is locked, but the service asks inside a call too.
                item.ensure_not_locked = lambda: None
                try:
                    print(item.get_secret())
                except jeepney.DBusErrorResponse as error:
                    print(error.name)
                if sys.argv[1] != 'none':
                    print(item.unlock())
                """, ["\(answer)"])
        #expect(run.status == 0, "\(run.errors)")
        switch answer {
        case .granted: #expect(run.output == "b'x'\nFalse\n")
        case .dismissed: #expect(run.output == "org.freedesktop.Secret.Error.IsLocked\nTrue\n")
        case .none: #expect(run.output == "org.freedesktop.Secret.Error.IsLocked\n")
        }
        #expect(desktop.store.all.count == 1)
    }

    @Test(.enabled(if: hasSecretStorage, "skipped: needs python3-secretstorage"))
    func secretStorageCreatesACollectionAndDeletesIt() throws {
        let desktop = try Desktop()
        let run = try desktop.python(
            Self.storage + """
                made = secretstorage.create_collection(connection, 'Work', alias='work')
                assert made.get_label() == 'Work'
                assert secretstorage.get_collection_by_alias(connection, 'work').collection_path == made.collection_path
                assert len(list(secretstorage.get_all_collections(connection))) == 2
                made.create_item('Sample', {'a': 'b'}, b'x')
                made.delete()
                assert len(list(secretstorage.get_all_collections(connection))) == 1
                try:
                    secretstorage.get_collection_by_alias(connection, 'work')
                    raise SystemExit('there is an alias without a collection')
                except secretstorage.exceptions.ItemNotFoundException:
                    pass
                """)
        #expect(run.status == 0, "\(run.errors)")
    }

    private static let keyring = """
        import keyring, sys
        ring = keyring.get_keyring()
        assert type(ring).__module__ == 'keyring.backends.SecretService', ring

        """

    @Test(.enabled(if: hasKeyring, "skipped: needs python3-keyring"))
    func keyringSetsGetsAndDeletes() throws {
        let desktop = try Desktop()
        // keyring deletes no item that says that it is locked.
        desktop.store.needsPrompt = false
        let run = try desktop.python(
            Self.keyring + """
                keyring.set_password('mail', 'me', 'first')
                keyring.set_password('mail', 'me', 'second')
                assert keyring.get_password('mail', 'me') == 'second'
                assert keyring.get_credential('mail', None).username == 'me'
                keyring.delete_password('mail', 'me')
                assert keyring.get_password('mail', 'me') is None
                """)
        #expect(run.status == 0, "\(run.errors)")
        #expect(desktop.store.all.isEmpty)
    }

    @Test(.enabled(if: hasKeyring, "skipped: needs python3-keyring"))
    func keyringRaisesAfterADismissal() throws {
        let desktop = try Desktop()
        #expect(try desktop.python(Self.keyring + "keyring.set_password('mail', 'me', 'x')").status == 0)
        desktop.store.answer = .dismissed
        let run = try desktop.python(
            Self.keyring + """
                try:
                    print(keyring.get_password('mail', 'me'))
                except keyring.errors.KeyringError as error:
                    print(type(error).__name__)
                """)
        #expect((run.status, run.output) == (0, "KeyringLocked\n"), "\(run.errors)")
        try desktop.restart(afterStopping: true)
        desktop.store.answer = .granted
        let again = try desktop.python(Self.keyring + "print(keyring.get_password('mail', 'me'))")
        #expect(again.output == "x\n", "\(again.errors)")
        #expect(desktop.store.all.count == 1)
    }
}
