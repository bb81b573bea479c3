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
}
