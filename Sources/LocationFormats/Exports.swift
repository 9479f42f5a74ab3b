// One import is enough: writers take the updates of LocationCore, and the reports of LocationReports have
// forms here.
@_exported public import LocationCore
@_exported public import LocationReports
