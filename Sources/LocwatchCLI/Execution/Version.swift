/// The version of the command and the library.
package let version = "0.1.0"
