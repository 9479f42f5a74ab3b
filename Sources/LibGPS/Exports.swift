// One import is enough: a session is used through GPSDLocationSource.
@_exported public import GPSDLocation
