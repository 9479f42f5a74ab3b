// Most tests of this target use the samples.
@_exported import LocationSamples
