// One import is enough: the fakes conform to protocols of these modules.
@_exported public import GPSDLocation
@_exported public import LocationCore
