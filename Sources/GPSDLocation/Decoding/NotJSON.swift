/// The line breaks the rules of JSON, or those that this decoder adds to them.
struct NotJSON: Error {}
