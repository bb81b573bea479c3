internal import PlainText
internal import SodiumKit

/// The live page: one page, one style sheet and one script.
package enum LivePage: Sendable {
    /// The page, which loads its style sheet and its script from beside it.
    package static let html = PackageResources.live_html
    package static let style = PackageResources.live_css
    package static let script = PackageResources.live_js

    /// Returns a page with this history in it, as one file that needs no server.
    package static func file(_ history: LiveHistory) -> String {
        // The page may run its own script and style, which name this number, and nothing else.
        let digits = Array("0123456789abcdef")
        let nonce = String(Sodium.randomBytes(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
        var page = ""
        for line in text(html).split(separator: "\n", omittingEmptySubsequences: false) {
            switch line {
            case "<link rel=\"stylesheet\" href=\"live.css\"/>":
                page += """
                    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'"/>
                    <style nonce="\(nonce)">
                    \(text(style))</style>

                    """
            case "<script src=\"live.js\" defer></script>":
                page += "<script type=\"application/json\" id=\"embedded\">\(embedded(history.json))</script>\n"
            case "</body>": page += "<script nonce=\"\(nonce)\">\n\(text(script))</script>\n</body>\n"
            default: page += line + "\n"
            }
        }
        return page
    }

    /// Returns JSON that can stand in a page: no text in it can end its element.
    private static func embedded(_ json: String) -> String {
        var text = ""
        for letter in json.unicodeScalars {
            switch letter {
            case "<": text += "\\u003c"
            case "\u{2028}": text += "\\u2028"
            case "\u{2029}": text += "\\u2029"
            default: text.unicodeScalars.append(letter)
            }
        }
        return text
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
