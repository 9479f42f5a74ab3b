// 'make check-platforms' compiles this for Apple's systems: no machine that runs these tests has Core Location.
#if canImport(CoreLocation)
  // snippet: core-location
  import CoreLocationBridge

  @MainActor func makeCoordinator() -> LocationCoordinator {
    LocationCoordinator(EventSequenceProvider { CoreLocationEvents() })
  }
// end
#endif
