internal import PlainText

/// What pages in HTML have in common, each of which is one file that needs no other.
enum HTMLPage {
    /// Everything up to what is shown.
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
        \(style)
        </style>
        </head>
        <body>

        """
    }
}
