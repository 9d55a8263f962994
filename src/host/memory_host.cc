#include "host/memory_host.h"

#include <algorithm>
#include <set>

#include "base/text.h"

namespace rocert {
namespace {

constexpr int kMaxLinks = 40;  // as the kernel's

// "/a/b/../c" as "/a/c"; purely textual.
std::string normal(const std::string& path) {
  std::vector<std::string> parts;
  for (std::string_view part : split(path, '/')) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else {
      parts.emplace_back(part);
    }
  }
  return "/" + join(parts, "/");
}

std::string parent_of(const std::string& path) { return path.substr(0, std::max<size_t>(path.rfind('/'), 1)); }

template <class Map>
bool anything_below(const Map& map, const std::string& folder) {
  const auto first = map.lower_bound(folder + "/");
  return first != map.end() && first->first.starts_with(folder + "/");
}

template <class Map>
void names_below(const Map& map, const std::string& folder, std::set<std::string>& names) {
  const std::string start = folder == "/" ? folder : folder + "/";
  for (auto it = map.lower_bound(start); it != map.end() && it->first.starts_with(start); ++it) {
    const std::string name = it->first.substr(start.size(), it->first.find('/', start.size()) - start.size());
    if (!name.empty()) names.insert(name);
  }
}

tl::unexpected<Gap> absent(const std::string& path) { return gap(GapReason::kAbsent, path); }

}  // namespace

// The path with every link before its last component followed.
std::string MemoryHost::resolve(const std::string& path) const {
  std::string at = normal(path);
  for (int followed = 0; followed < kMaxLinks; ++followed) {
    bool changed = false;
    for (size_t slash = at.find('/', 1); slash != std::string::npos; slash = at.find('/', slash + 1)) {
      const auto found = links.find(at.substr(0, slash));
      if (found == links.end()) continue;
      const std::string& target = found->second;
      const std::string from = target.starts_with('/') ? "" : parent_of(found->first) + "/";
      at = normal(from + target + at.substr(slash));
      changed = true;
      break;
    }
    if (!changed) return at;
  }
  return at;
}

Observed<std::string> MemoryHost::content(const std::string& path) const {
  auto found = files.find(path);
  if (found == files.end()) found = files.find(resolve(path));
  return found == files.end() ? absent(path) : found->second;
}

Observed<std::string> MemoryHost::read(const std::string& path, size_t limit) {
  log.push_back("read " + path);
  auto text = content(path);
  if (text && text->size() > limit)
    return gap(GapReason::kMalformed, path + ": longer than " + std::to_string(limit) + " bytes");
  return text;
}

Observed<std::string> MemoryHost::read_at(const std::string& path, uint64_t offset, size_t size) {
  log.push_back("read " + path);
  auto text = content(path);
  if (!text) return text;
  return offset >= text->size() ? std::string() : text->substr(offset, size);
}

Observed<std::vector<std::string>> MemoryHost::list(const std::string& path) {
  log.push_back("list " + path);
  const std::string folder = parent_of(resolve(path + "/x"));  // a link that is itself the folder is followed
  if (const auto known = files.find(folder); known != files.end() && !known->second)
    return tl::unexpected<Gap>(known->second.error());
  std::set<std::string> names;
  names_below(files, folder, names);
  names_below(links, folder, names);
  if (names.empty() && !files.contains(folder + "/")) return absent(path);
  return std::vector<std::string>(names.begin(), names.end());
}

Observed<std::string> MemoryHost::link(const std::string& path) {
  log.push_back("link " + path);
  auto found = links.find(path);
  if (found == links.end()) found = links.find(resolve(path));
  if (found == links.end()) return absent(path);
  return found->second;
}

Result<> MemoryHost::write(const std::string& path, std::string_view text) {
  log.push_back("write " + path + " " + std::string(text));
  return on_write ? on_write(*this, path, text) : store(path, text);
}

Result<> MemoryHost::write_at(const std::string& path, uint64_t offset, std::string_view bytes) {
  auto text = content(path);
  if (!text) return fail(ErrorKind::kSystem, to_text(text.error()));
  if (offset > text->size() || bytes.size() > text->size() - offset)
    return fail(ErrorKind::kSystem, path + ": write past the end");
  return write(path, text->replace(offset, bytes.size(), bytes));
}

Result<> MemoryHost::store(const std::string& path, std::string_view text) {
  auto found = files.find(path);
  if (found == files.end()) found = files.find(resolve(path));
  if (found == files.end()) return fail(ErrorKind::kSystem, path + ": absent");
  if (!found->second) return fail(ErrorKind::kSystem, to_text(found->second.error()));
  found->second = std::string(text);
  return {};
}

Result<> MemoryHost::make(const std::string& path) {
  log.push_back("make " + path);
  if (on_make) return on_make(*this, path);
  if (files.contains(path + "/") || anything_below(files, path))
    return fail(ErrorKind::kSystem, path + ": exists already");
  files.emplace(path + "/", "");
  return {};
}

Result<> MemoryHost::remove(const std::string& path) {
  log.push_back("remove " + path);
  if (on_remove) return on_remove(*this, path);
  std::set<std::string> names;
  names_below(files, path, names);
  names_below(links, path, names);
  if (!names.empty()) return fail(ErrorKind::kSystem, path + ": not empty");
  if (files.erase(path + "/") == 0) return fail(ErrorKind::kSystem, path + ": absent");
  return {};
}

Result<> MemoryHost::apply(const KernelWrite& write) {
  log.push_back("apply " + to_text(write));
  return on_apply ? on_apply(*this, write) : store(write);
}

Observed<KernelAnswer> MemoryHost::ask(const KernelQuery& query) {
  const std::string path = recording_path(query);
  log.push_back("get " + path);
  const auto found = objects.find(query);
  if (found == objects.end()) return absent(path);
  return found->second;
}

}  // namespace rocert
