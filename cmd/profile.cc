// rocert profile: checks a profile, or shows it merged and with all that is derived from it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cmd/choose_profile.h"
#include "cmd/command.h"
#include "cmd/output.h"
#include "cmd/units.h"
#include "model/rdma.h"
#include "model/wants.h"
#include "registry/settings.h"

namespace rocert {
namespace {

// The wants of any port of a role.
Wants wants_of_role(const Profile& profile, const Role& role) {
  Profile alone = profile;
  alone.roles = {role};
  alone.roles.front().match = {};
  return wants_of(&alone, Port{});
}

std::string wanted_text(const Setting& setting, const View& view) {
  if (view.wants.is_unmanaged(setting.page.code)) return "unmanaged";
  const Subject subject;
  const Value* stated = view.wants.stated_value(setting.page.code);
  const std::optional<Value> wanted = stated != nullptr           ? std::optional(*stated)
                                      : setting.wanted == nullptr ? std::nullopt
                                                                  : setting.wanted(view, subject);
  if (!wanted) return {};
  return setting.wanted_text != nullptr ? setting.wanted_text(view, subject, *wanted) : to_text(*wanted);
}

std::string class_text(const TrafficClass& traffic) {
  std::string text = traffic.name + (traffic.lossless ? ", lossless" : ", lossy");
  if (traffic.priority) text += fmt::format(", priority {}", traffic.priority->value);
  if (traffic.dscp)
    text += fmt::format(", DSCP {} (traffic class byte {})", traffic.dscp->value, traffic.dscp->value << 2);
  if (traffic.cnp) {
    text += fmt::format(", CNP DSCP {}", traffic.cnp->dscp.value);
    if (traffic.cnp->priority) text += fmt::format(" priority {}", traffic.cnp->priority->value);
  }
  return text;
}

// As YAML comments, so that the whole stays a profile.
std::string derived_text(const Profile& profile, const Role& role) {
  const Wants wants = wants_of_role(profile, role);
  const Snapshot nowhere;
  const Port port;
  const View view{.host = nowhere, .port = &port, .wants = wants, .profile = &profile, .drivers = driver_table()};
  const auto line = [](std::string_view label, std::string_view text) {
    return fmt::format("#   {:<26}{}\n", label, text);
  };
  std::string out = fmt::format("\n# derived for role {}:\n", role.name);
  for (const TrafficClass& traffic : wants.classes) out += line("class", class_text(traffic));
  if (wants.mtu && wants.mtu->at_least)
    out += line("RDMA MTU", fmt::format("{} bytes", rdma_mtu_for(static_cast<uint32_t>(*wants.mtu->at_least))));
  for (const Setting* setting : registry::settings()) {
    const std::string wanted = wanted_text(*setting, view);
    if (!wanted.empty()) out += line(setting->page.code, wanted);
  }
  return out;
}

Result<int> check(const std::string& file) {
  const Profile profile = TRY(load_profile(file));
  TRY(print(fmt::format("{}: good · {} classes, {} roles, {} settings, {} limits\n", profile.name,
                        profile.classes.size(), profile.roles.size(), profile.settings.size(), profile.limits.size())));
  return 0;
}

Result<int> show(const std::string& name_or_file) {
  const Profile profile = TRY(load_profile(name_or_file));
  std::string text = to_yaml(profile);
  for (const Role& role : profile.roles) text += derived_text(profile, role);
  TRY(print(text));
  return 0;
}

}  // namespace

Command add_profile_check(CLI::App& profile) {
  CLI::App* parser = profile.add_subcommand("check", "Check a profile, with place and remedy of the first mistake");
  auto file = std::make_shared<std::string>();
  parser->add_option("FILE", *file, "A profile's YAML file")->required();
  return {parser, [file] { return check(*file); }};
}

Command add_profile_show(CLI::App& profile) {
  CLI::App* parser = profile.add_subcommand("show", "Show a profile merged, and what is derived from it for each role");
  auto name = std::make_shared<std::string>();
  parser->add_option("NAME|FILE", *name, "A shipped profile, or a file")->required();
  return {parser, [name] { return show(*name); }};
}

}  // namespace rocert
