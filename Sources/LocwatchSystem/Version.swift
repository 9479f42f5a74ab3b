/// The version of the command and the library.
package let version = "0.6.0"

/// The date of the version, for the manual page.
package let versionDate = "2026-11-30"
