#include "host/redact.h"

#include <gmock/gmock.h>

#include "host/memory_host.h"
#include "host/recorded_host.h"
#include "unit/host/temporary_folder.h"

namespace rocert {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

IpAddress ip(const char* text) { return *parse_ip(text); }

unsigned shared_bits(const IpAddress& a, const IpAddress& b) {
  unsigned bits = 0;
  while (bits < address_bits(a.family) && ((a.bytes[bits / 8] ^ b.bytes[bits / 8]) >> (7 - bits % 8) & 1) == 0) ++bits;
  return bits;
}

TEST(Redactor, AddressesKeepSharedPrefixesAndEquality) {
  Redactor redactor;
  const std::array<const char*, 7> texts{"10.1.2.3",   "10.1.2.4",   "10.1.3.3", "10.200.2.3",
                                         "172.20.5.6", "172.20.9.6", "8.8.8.8"};
  for (const char* a : texts) {
    for (const char* b : texts) {
      EXPECT_EQ(shared_bits(redactor.address(ip(a)), redactor.address(ip(b))), shared_bits(ip(a), ip(b)))
          << a << " " << b;
    }
    EXPECT_EQ(redactor.address(ip(a)), redactor.address(ip(a)));
  }
  const std::array<const char*, 4> six{"2001:db8:1::17", "2001:db8:1::18", "2001:db8:2::17", "fd00:1:2:3:a:b:c:d"};
  for (const char* a : six) {
    for (const char* b : six)
      EXPECT_EQ(shared_bits(redactor.address(ip(a)), redactor.address(ip(b))), shared_bits(ip(a), ip(b)))
          << a << " " << b;
  }
}

TEST(Redactor, AddressesAreReallyReplaced) {
  // Of 64 addresses one may by chance stay as it is, but not all.
  Redactor redactor;
  int kept = 0;
  for (int i = 0; i < 64; ++i) {
    const IpAddress original = ip(("10." + std::to_string(i * 3) + "." + std::to_string(i) + ".7").c_str());
    const IpAddress replaced = redactor.address(original);
    EXPECT_EQ(replaced.bytes[0], 10);
    EXPECT_EQ(replaced.bytes[3], 7);
    if (replaced == original) ++kept;
  }
  EXPECT_LT(kept, 64);
}

TEST(Redactor, SpecialAddressesStayInKind) {
  Redactor redactor;
  for (const char* text :
       {"0.0.0.0", "127.0.0.1", "224.0.0.251", "255.255.255.255", "255.255.255.0", "::", "::1", "ff02::1"})
    EXPECT_EQ(redactor.address(ip(text)), ip(text)) << text;
  EXPECT_TRUE(redactor.address(ip("169.254.7.7")).is_link_local());
  EXPECT_TRUE(redactor.address(ip("fe80::42:a1ff:feb4:1234")).is_link_local());
  const IpAddress mapped = redactor.address(ip("::ffff:10.1.2.3"));
  const IpAddress inner = redactor.address(ip("10.1.2.3"));
  EXPECT_EQ(to_text(mapped), "::ffff:" + to_text(inner));
  EXPECT_EQ(redactor.prefix(*parse_prefix("0.0.0.0/0")), *parse_prefix("0.0.0.0/0"));
  const Prefix network = redactor.prefix(*parse_prefix("10.1.0.0/16"));
  EXPECT_EQ(network, network.network());
  EXPECT_TRUE(network.contains(redactor.address(ip("10.1.2.3"))));
}

TEST(Redactor, LinkAddressesGuidsAndEuiStayTheSameThing) {
  Redactor redactor;
  const std::string mac = redactor.name("0c:42:a1:b4:12:34");
  EXPECT_THAT(mac, Not(HasSubstr("0c:42")));
  EXPECT_EQ(mac.size(), 17u);
  EXPECT_EQ(redactor.name("0C:42:A1:B4:12:34"), mac);
  EXPECT_NE(redactor.name("0c:42:a1:b4:12:35"), mac);
  EXPECT_EQ(redactor.name("00:00:00:00:00:00"), "00:00:00:00:00:00");
  EXPECT_EQ(redactor.name("ff:ff:ff:ff:ff:ff"), "ff:ff:ff:ff:ff:ff");
  // fe80 + EUI-64 of the same link-layer address gives EUI-64 of its replacement.
  const IpAddress eui = redactor.address(ip("fe80::e42:a1ff:feb4:1234"));
  EXPECT_EQ(to_text(eui), "fe80::ff:fe00:1");
  EXPECT_EQ(mac, "02:00:00:00:00:01");
  const std::string guid = redactor.name("0c42:a103:00b4:1234");
  EXPECT_THAT(guid, Not(HasSubstr("0c42")));
  EXPECT_EQ(redactor.name("0c42:a103:00b4:1234"), guid);
  EXPECT_EQ(redactor.name("0000:0000:0000:0000"), "0000:0000:0000:0000");
  EXPECT_EQ(redactor.name("enx0c42a1b41234"), "enx020000000001");
}

TEST(Redactor, WhatCarriesStructureStays) {
  Redactor redactor;
  for (const char* text : {"/sys/devices/pci0000:40/0000:40:00.0/net/eth2", "mlx5_0", "ens9f0np0", "rocep65s0f1",
                           "6.1.0-18-amd64", "32.0 GT/s PCIe", "12:34:56"})
    EXPECT_EQ(redactor.name(text), text);
  EXPECT_EQ(redactor.file("/sys/class/infiniband/bnxt_re0/fw_ver", "229.0.154.0\n"), "229.0.154.0\n");
  EXPECT_EQ(redactor.file("/sys/class/net/eth2/statistics/rx_bytes", "1234567890\n"), "1234567890\n");
}

TEST(Redactor, FilesByTheirPathAndText) {
  Redactor redactor;
  redactor.add_host_name("node17.example.com\n");
  const std::string gid = "0000:0000:0000:0000:0000:ffff:0a01:0203";
  const std::string replaced = redactor.file("/sys/class/infiniband/mlx5_0/ports/1/gids/3", gid + "\n");
  EXPECT_EQ(replaced.size(), gid.size() + 1);
  EXPECT_EQ(parse_ip(replaced.substr(0, 39)), redactor.address(ip("::ffff:10.1.2.3")));
  EXPECT_EQ(redactor.file("/sys/class/infiniband/mlx5_0/node_desc", "node17 mlx5_0\n"), "host-1 mlx5_0\n");
  EXPECT_EQ(redactor.file("/x", "node17.example.com node170 my-node17"), "host-1 node170 my-node17");
  EXPECT_THAT(redactor.file("/sys/class/dmi/id/product_serial", "SN12345\n"), Not(HasSubstr("12345")));
  EXPECT_THAT(redactor.file("/etc/machine-id", "0123456789abcdef0123456789abcdef\n"), Not(HasSubstr("9abc")));
  EXPECT_EQ(redactor.file("/etc/machine-id", "0123456789abcdef0123456789abcdef\n").size(), 33u);
  const std::string rule = redactor.file("/x/traffic_class", "src_ip=10.1.2.3,dst_ip=10.1.0.0/16,tclass=106\n");
  EXPECT_THAT(rule, HasSubstr("src_ip=" + to_text(redactor.address(ip("10.1.2.3"))) + ","));
  EXPECT_THAT(rule, HasSubstr("dst_ip=" + to_text(redactor.prefix(*parse_prefix("10.1.0.0/16"))) + ",tclass=106"));
  EXPECT_EQ(redactor.file("/x", "10.1.2.3:4791."), to_text(redactor.address(ip("10.1.2.3"))) + ":4791.");
}

TEST(RedactedRecording, HidesTheSiteAndKeepsItsShape) {
  const TemporaryFolder temporary;
  MemoryHost host;
  host.files["/proc/sys/kernel/hostname"] = "node17\n";
  host.files["/sys/class/net/enx0c42a1b41234/address"] = "0c:42:a1:b4:12:34\n";
  host.files["/proc/sys/kernel/random/boot_id"] = "12345678-aaaa-4bbb-8ccc-0123456789ab\n";
  host.files["/pci/config"] = std::string(4096, 'x');
  Link link;
  link.ifindex = 3;
  link.name = "enx0c42a1b41234";
  link.address = "0c:42:a1:b4:12:34";
  link.phys_switch_id = "0c42a1b40000";
  host.objects.emplace(Links{}, KernelAnswer(std::vector<Link>{link}));
  host.objects.emplace(Addresses{}, KernelAnswer(std::vector<Address>{{3, *parse_prefix("10.77.2.3/16")}}));
  Route route;
  route.destination = *parse_prefix("10.77.0.0/16");
  route.next_hops = {{3, std::nullopt, 1, 0}};
  host.objects.emplace(Routes{}, KernelAnswer(std::vector<Route>{route}));
  host.objects.emplace(PauseOf{"enx0c42a1b41234"}, KernelAnswer(Pause{}));

  RecordingHost recording(host, {.redact = true});
  Host& asked = recording;
  (void)asked.read("/proc/sys/kernel/hostname");
  (void)asked.read("/proc/sys/kernel/random/boot_id");
  (void)asked.read("/sys/class/net/enx0c42a1b41234/address");
  (void)asked.read_at("/pci/config", 0, 64);
  (void)asked.read_at("/pci/config", 0, 4096);
  (void)asked.list("/sys/class/net");
  EXPECT_EQ(asked.get(Addresses{}).value()[0].local, *parse_prefix("10.77.2.3/16")) << "while it records, as it is";
  (void)asked.get(Links{});
  (void)asked.get(Routes{});
  (void)asked.get(PauseOf{"enx0c42a1b41234"});
  ASSERT_TRUE(recording.save(temporary / "rec"));

  for (const auto& entry : std::filesystem::recursive_directory_iterator(temporary / "rec")) {
    const std::string name = entry.path().string();
    const std::string text = entry.is_regular_file() ? name + get_text(name) : name;
    for (const char* secret : {"node17", "0c42a1b4", "0c:42", "12345678-aaaa"})
      EXPECT_THAT(text, Not(HasSubstr(secret)));
  }
  const auto replay = open_recorded_host(temporary / "rec");
  ASSERT_TRUE(replay) << to_text(replay.error());
  Host& h = **replay;
  EXPECT_EQ(h.list("/sys/class/net").value(), (std::vector<std::string>{"enx020000000001"}));
  EXPECT_EQ(h.read("/sys/class/net/enx020000000001/address"), "02:00:00:00:00:01\n");
  EXPECT_EQ(h.get(Links{}).value()[0].address, "02:00:00:00:00:01");
  EXPECT_EQ(h.get(Links{}).value()[0].name, "enx020000000001");
  EXPECT_TRUE(h.get(PauseOf{"enx020000000001"}));
  const Prefix local = h.get(Addresses{}).value()[0].local;
  const Prefix destination = h.get(Routes{}).value()[0].destination;
  EXPECT_EQ(local.length, 16);
  EXPECT_EQ(local.network(), destination);
  EXPECT_EQ(h.read_at("/pci/config", 0, 64)->size(), 64u);
  EXPECT_EQ(h.read_at("/pci/config", 0, 4096).error(), (Gap{GapReason::kNotRecorded, "redacted"}));
}

}  // namespace
}  // namespace rocert
