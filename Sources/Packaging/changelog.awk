# Turns a section of CHANGELOG.md into Debian's changelog. Takes the version and Debian's signature line.

# Writes a paragraph, in lines of at most 78 characters.
function write(text, first, rest,   words, count, i, line) {
  count = split(text, words, " ")
  line = first
  for (i = 1; i <= count; i++) {
    if (length(line) + length(words[i]) > 77 && line != first) {
      print line
      line = rest
    }
    line = line (line == first || line == rest ? "" : " ") words[i]
  }
  print line
}

function finish() {
  if (entry != "") write(entry, "  * ", "    ")
  entry = ""
}

BEGIN { print "locwatch (" version ") unstable; urgency=medium" }
/^## / { finish(); inside = $2 == version; next }
!inside { next }
/^### / { finish(); print "\n  [ " substr($0, 5) " ]"; next }
/^- / { finish(); entry = substr($0, 3); next }
/^  / { entry = entry " " $0 }
END { print "\n" signature }
