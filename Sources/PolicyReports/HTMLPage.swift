internal import PlainText

/// The parts that all HTML pages share. Each page is a single file that needs no other.
enum HTMLPage {
    /// Returns the beginning of a page, up to its body. `style` is a style sheet that ends with a line break.
    static func beginning(title: String, style: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <title>\(Quoting.xml(title))</title>
        <style>
        \(style)</style>
        </head>
        <body>

        """
    }

    /// Returns the beginning of a table that scrolls sideways inside its region, up to its head. ``tableEnd`` ends it.
    ///
    /// The region can be focused, so that the keys of arrows scroll it. A sign above it shows in windows that the table may not fit into.
    static func tableStart(_ caption: String) -> String {
        """
        <p class="sideways">↔ Scroll the table sideways to see all of its columns.</p>
        <div class="scroll" role="region" tabindex="0" aria-label="\(Quoting.xml(caption))">
        <table>
        <caption><span>\(Quoting.xml(caption))</span></caption>

        """
    }

    /// The end of a table and its region.
    static let tableEnd = "</table>\n</div>\n"

    /// Returns `text` as markup in which a word can break before each capital, as in `whenPasscodeSetThisDeviceOnly`.
    ///
    /// It is for the words of policies alone: a name from a file adds no element to a page.
    static func breakable(_ text: String) -> String {
        var parts: [Substring] = []
        var (start, former) = (text.startIndex, Character(" "))
        for place in text.indices {
            if former.isLowercase && text[place].isUppercase {
                parts.append(text[start..<place])
                start = place
            }
            former = text[place]
        }
        parts.append(text[start...])
        return parts.map { Quoting.xml(String($0)) }.joined(separator: "<wbr/>")
    }
}
