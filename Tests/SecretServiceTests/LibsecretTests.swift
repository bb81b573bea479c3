import Foundation
import SecretService
import TestSupport
import Testing

private let compiler = "/usr/bin/gcc"
private let helper = "/usr/share/doc/git/contrib/credential/libsecret/git-credential-libsecret.c"
private let header = "/usr/include/libsecret-1/libsecret/secret.h"

/// Programs in C on libsecret, which the tests build.
@Suite(
    .enabled(
        if: Desktop.has(compiler, "/usr/bin/pkg-config") && FileManager.default.fileExists(atPath: header),
        "skipped: needs dbus-daemon, gcc, pkg-config and libsecret-1-dev"),
    .waitsForProcesses)
struct LibsecretTests {
    private static let hasHelper = FileManager.default.fileExists(atPath: helper)

    /// Compiles a program in C, and returns its path.
    private func build(_ source: String, on desktop: Desktop) throws -> String {
        let program = desktop.bus.folder.path("client")
        let line =
            "\(compiler) -o \(program) \(source) $(pkg-config --cflags --libs libsecret-1)"
        let run = try desktop.bus.run("/bin/sh", ["-c", line])
        #expect(run.status == 0, "\(run.errors)")
        return program
    }

    private static let description = "protocol=https\nhost=git.example\nusername=me\n"

    @Test(.enabled(if: hasHelper, "skipped: needs the sources of git-credential-libsecret"))
    func gitStoresGetsAndErasesACredential() throws {
        let desktop = try Desktop()
        let program = try build(helper, on: desktop)
        let stored = try desktop.bus.run(program, ["store"], input: Self.description + "password=s3cret\n\n")
        #expect(stored.status == 0, "\(stored.errors)")
        let found = try desktop.bus.run(program, ["get"], input: Self.description + "\n")
        #expect(found.output.contains("password=s3cret\n"), "\(found.errors)")
        #expect(desktop.store.prompts.count == 1)
        for answer in [StoreInMemory.Answer.dismissed, .none] {
            desktop.store.answer = answer
            let client = try desktop.bus.begin(program, ["get"], input: Self.description + "\n")
            if answer == .none {
                #expect(Patience.wait { desktop.store.asking == 1 })
                try desktop.restart(afterStopping: true)
            }
            #expect(try !client.end().output.contains("password"))
            #expect(desktop.store.all.count == 1)
        }
        desktop.store.answer = .granted
        #expect(
            try desktop.bus.run(program, ["get"], input: Self.description + "\n").output.contains("password=s3cret\n"))
        // libsecret deletes only items that say that they are unlocked.
        desktop.store.needsPrompt = false
        #expect(try desktop.bus.run(program, ["erase"], input: Self.description + "\n").status == 0)
        #expect(desktop.store.all.isEmpty)
    }

    /// Looks a secret up without unlocking it first, changes it, and follows the properties of its item.
    private static let program = """
        #include <libsecret/secret.h>
        #include <stdio.h>
        static const SecretSchema schema = {
            "com.example.Sample", SECRET_SCHEMA_NONE, {{"number", SECRET_SCHEMA_ATTRIBUTE_INTEGER}, {NULL, 0}}};
        #define CHECK(what) do { if (!(what) || error) { \\
            fprintf(stderr, "%s: %s\\n", #what, error ? error->message : ""); return 1; } } while (0)
        int main(int count, char **words) {
            GError *error = NULL;
            CHECK(secret_password_store_sync(&schema, SECRET_COLLECTION_DEFAULT, "Sample", "first", NULL, &error, "number", 7, NULL));
            SecretService *service = secret_service_get_sync(SECRET_SERVICE_OPEN_SESSION | SECRET_SERVICE_LOAD_COLLECTIONS, NULL, &error);
            CHECK(service);
            SecretCollection *all = secret_collection_for_alias_sync(service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_LOAD_ITEMS, NULL, &error);
            CHECK(all);
            GList *items = secret_collection_get_items(all);
            CHECK(g_list_length(items) == 1);
            SecretItem *item = items->data;
            CHECK(secret_item_get_locked(item));
            if (count > 1) {
                gboolean loaded = secret_item_load_secret_sync(item, NULL, &error);
                printf("%s\\n", loaded && secret_item_get_secret(item) ? "loaded" : "not loaded");
                return 0;
            }
            CHECK(secret_item_load_secret_sync(item, NULL, &error));
            CHECK(g_str_equal(secret_value_get_text(secret_item_get_secret(item)), "first"));
            CHECK(g_str_equal(secret_item_get_schema_name(item), "com.example.Sample"));
            CHECK(secret_item_set_label_sync(item, "Other", NULL, &error));
            SecretValue *value = secret_value_new("second", -1, "text/plain");
            CHECK(secret_item_set_secret_sync(item, value, NULL, &error));
            CHECK(secret_collection_set_label_sync(all, "Renamed", NULL, &error));
            SecretCollection *made = secret_collection_create_sync(service, "Work", "work", 0, NULL, &error);
            CHECK(made);
            CHECK(secret_collection_delete_sync(made, NULL, &error));
            GList *objects = g_list_append(NULL, all);
            CHECK(secret_service_lock_sync(service, objects, NULL, NULL, &error) == 1);
            CHECK(secret_service_unlock_sync(service, objects, NULL, NULL, &error) == 1);
            gchar *text = secret_password_lookup_sync(&schema, NULL, &error, "number", 7, NULL);
            CHECK(text && g_str_equal(text, "second"));
            CHECK(secret_item_delete_sync(item, NULL, &error));
            return 0;
        }
        """

    @Test func aProgramInCUsesItemsAndCollections() throws {
        let desktop = try Desktop(millisecondsToAnswer: 60_000)
        let source = desktop.bus.folder.path("client.c")
        try Data(Self.program.utf8).write(to: URL(filePath: source))
        let program = try build(source, on: desktop)
        let run = try desktop.bus.run(program, [])
        #expect(run.status == 0, "\(run.errors)")
        #expect(desktop.store.all.isEmpty)
        #expect(desktop.store.collections.map { $0.label } == ["Renamed"])
    }

    @Test(arguments: StoreInMemory.Answer.allCases)
    func aCallWithoutAnUnlockAsksInsideAndEndsInTime(_ answer: StoreInMemory.Answer) throws {
        let desktop = try Desktop(millisecondsToAnswer: answer == .none ? 300 : 60_000)
        let source = desktop.bus.folder.path("client.c")
        try Data(Self.program.utf8).write(to: URL(filePath: source))
        let program = try build(source, on: desktop)
        desktop.store.answer = answer
        let run = try desktop.bus.run(program, ["load"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == (answer == .granted ? "loaded\n" : "not loaded\n"))
        #expect(desktop.store.prompts.count == 1)
        #expect(desktop.store.all.count == 1)
    }
}
