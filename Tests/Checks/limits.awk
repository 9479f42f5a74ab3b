# Prints each limit of the code, from the constants 'static let maximum…' and their doc comments. The status is 1 if one
# has no comment. Usage: awk -f limits.awk FILE…
{ sub(/^ */, "") }
FNR == 1 { comment = "" }
/^\/\/\/ ?/ { comment = comment substr($0, 4); next }
match($0, /static let maximum[A-Za-z0-9]*/) {
  name = substr($0, RSTART + 11, RLENGTH - 11)
  value = $0
  sub(/^[^=]*= /, "", value)
  type = FILENAME
  gsub(/.*\/|\.swift$/, "", type)
  print type "." name " = " value "\n   " comment
  if (comment == "") {
    print FILENAME ": " name " has no comment" >"/dev/stderr"
    status = 1
  }
}
{ comment = "" }
END { exit status }
