import CardKit
import KeyKit
import Testing

/// The addresses of keys on cards, as RFC 7512 writes them.
struct CardAddressTests {
    @Test func anAddressIsReadAndWritten() throws {
        let full = try CardAddress("pkcs11:token=My%20card;serial=0a;id=%01%FF;object=k?module-path=/usr/lib/a.so")
        #expect(full.token == "My card" && full.serial == "0a" && full.label == "k")
        #expect(full.identifier == [1, 0xFF] && full.module == "/usr/lib/a.so")
        #expect(full.text == "pkcs11:token=My%20card;serial=0a;id=%01%FF;object=k?module-path=/usr/lib/a.so")
        #expect(try CardAddress(full.text) == full)
        let open = try CardAddress("any")
        #expect(try CardAddress("pkcs11:") == open && open.text == "pkcs11:")
        // Parts that other programs write, and that leave nothing open.
        #expect(try CardAddress("pkcs11:type=private;library-version=1").text == "pkcs11:")
        #expect(try CardAddress("pkcs11:manufacturer=x;model=y;slot-id=1;serial=2").text == "pkcs11:serial=2")
        // A card is not chosen by what is not compared.
        for part in ["manufacturer=x", "model=y", "slot-id=1", "slot-description=x", "slot-manufacturer=x"] {
            let fault = #expect(throws: CardAddress.Fault.self) { try CardAddress("pkcs11:\(part);token=Card") }
            #expect(fault?.words.contains("take its serial=") == true, "\(part)")
        }
    }

    @Test(arguments: [
        "", "card", "http://x", "pkcs11:token", "pkcs11:id=%0", "pkcs11:id=%+1", "pkcs11:id=%zz", "pkcs11:color=red",
        "pkcs11:token=a?pin-value=1234", "pkcs11:token=a?pin-source=/f",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(throws: CardAddress.Fault.self) { try CardAddress(text) }
    }

    @Test func everyByteOfANameSurvives() throws {
        for byte in 1...UInt8(127) {
            var address = try CardAddress("any")
            address.token = "a" + String(UnicodeScalar(byte)) + "ä"
            address.identifier = [byte, 0, 255 - byte]
            #expect(try CardAddress(address.text) == address, "\(byte)")
        }
    }

    @Test func anAddressMatchesWhatItNames() throws {
        let publicKey = try PrivateKey.generate(.ed25519).publicKey
        let token = CardToken(label: "Work", serial: "7", pin: .needed)
        let key = CardKey(token: token, identifier: [1], label: "signing", publicKey: publicKey)
        for (text, isMatch) in [
            ("any", true), ("pkcs11:token=Work", true), ("pkcs11:token=work", false), ("pkcs11:serial=7;id=%01", true),
            ("pkcs11:serial=7;id=%02", false), ("pkcs11:object=signing", true), ("pkcs11:object=", false),
        ] {
            #expect(try CardAddress(text).matches(key) == isMatch, "\(text)")
        }
        #expect(CardAddress(of: key, by: "/m", isUsual: true).text == "pkcs11:token=Work;serial=7;id=%01")
        #expect(try CardAddress(CardAddress(of: key, by: "/m", isUsual: false).text).module == "/m")
    }
}
