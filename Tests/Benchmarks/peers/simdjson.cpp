// The numbers and texts of each report by simdjson on demand, as a decoder for one kind of line after
// the other would take them. Prints megabytes per second, the best of the rounds that are asked for.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <simdjson.h>

using namespace simdjson;

static double sum = 0;

static void take(ondemand::value value) {
  switch (value.type()) {
  case ondemand::json_type::number: sum += double(value.get_double()); break;
  case ondemand::json_type::string: sum += double(std::string_view(value.get_string()).size()); break;
  case ondemand::json_type::boolean: sum += bool(value.get_bool()); break;
  case ondemand::json_type::array: for (auto element : value.get_array()) take(element.value()); break;
  case ondemand::json_type::object: for (auto field : value.get_object()) take(field.value()); break;
  default: break;
  }
}

int main(int argc, char **argv) {
  padded_string text = padded_string::load(argv[1]);
  double best = 0;
  for (int round = 0; round < atoi(argv[2]); round++) {
    const clock_t start = clock();
    ondemand::parser parser;
    ondemand::document_stream documents;
    if (parser.iterate_many(text, 1 << 20).get(documents) != SUCCESS) return 1;
    for (auto document : documents) {
      for (auto field : ondemand::object(document.get_object())) take(field.value());
    }
    best = std::max(best, double(text.size()) / double(clock() - start));
  }
  printf("%.1f\n", best);
  return sum > 0 ? 0 : 1;
}
