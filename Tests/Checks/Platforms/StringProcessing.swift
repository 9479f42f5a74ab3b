extension Collection where Element: Equatable {
  public func contains<Others: Collection>(_ others: Others) -> Bool
  where Others.Element == Element { false }

  public func firstRange<Others: Collection>(of others: Others) -> Range<Index>?
  where Others.Element == Element { nil }

  public func split<Others: Collection>(separator: Others) -> [SubSequence]
  where Others.Element == Element { [] }
}
