// One import is enough: programs use a session through GPSDLocationSource.
@_exported public import GPSDLocation
