// One import is enough: the fakes conform to protocols of GPSDLocation, and take the clock of LocationTestKit.
@_exported public import GPSDLocation
@_exported public import LocationTestKit
