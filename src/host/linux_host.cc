#include "host/linux_host.h"

#include <linux/netlink.h>

#include <cerrno>

#include "host/ethtool_ioctl.h"
#include "host/files.h"
#include "host/netlink/address.h"
#include "host/netlink/dcb.h"
#include "host/netlink/ethtool.h"
#include "host/netlink/link.h"
#include "host/netlink/neighbour.h"
#include "host/netlink/rdma.h"
#include "host/netlink/route.h"
#include "host/netlink/rule.h"
#include "host/verbs.h"

namespace rocert {
namespace {

// The kernel of this machine: one socket a protocol, opened by the first question.
class Kernel {
 public:
  uint64_t requests() const { return route_.requests() + ethtool_.requests() + rdma_.requests(); }
  uint64_t ioctls() const { return ioctl_.calls(); }

  Observed<std::vector<Link>> get(const Links&) { return routed(netlink::read_links); }
  Observed<std::vector<Address>> get(const Addresses&) { return routed(netlink::read_addresses); }
  Observed<std::vector<Route>> get(const Routes&) { return routed(netlink::read_routes); }
  Observed<std::vector<Rule>> get(const Rules&) { return routed(netlink::read_rules); }
  Observed<std::vector<Neighbour>> get(const Neighbours&) { return routed(netlink::read_neighbours); }
  Observed<Dcb> get(const DcbOf& q) {
    return routed([&](netlink::Socket& socket) { return netlink::read_dcb(socket, q.netdev); });
  }

  Observed<std::vector<RdmaPort>> get(const RdmaPorts&) {
    return rdma<std::vector<RdmaPort>>([&] { return rdma_.ports(); });
  }
  Observed<RdmaSystem> get(const RdmaSystemOf&) {
    return rdma<RdmaSystem>([&] { return rdma_.system(); });
  }
  Observed<Counters> get(const RdmaStatisticsOf& q) {
    return rdma<Counters>([&] { return rdma_.statistics(q.device, q.port); });
  }
  Observed<RdmaPortAttributes> get(const RdmaPortAttributesOf& q) {
    const auto verbs = load_verbs();
    if (!verbs) return gap(GapReason::kNotSupported, verbs.error().message);
    return read_port_attributes(**verbs, q.device, q.port);
  }

  Observed<LinkModes> get(const LinkModesOf& q) {
    return ethtool<LinkModes>([&] { return ethtool_.link_modes(q.netdev); });
  }
  Observed<Pause> get(const PauseOf& q) {
    return ethtool<Pause>([&] { return ethtool_.pause(q.netdev); });
  }
  Observed<Fec> get(const FecOf& q) {
    return ethtool<Fec>([&] { return ethtool_.fec(q.netdev); });
  }
  Observed<Rings> get(const RingsOf& q) {
    return ethtool<Rings>([&] { return ethtool_.rings(q.netdev); });
  }
  Observed<PrivateFlags> get(const PrivateFlagsOf& q) {
    if (open_ethtool() == ENOENT) return ioctl_.private_flags(q.netdev);
    return ethtool<PrivateFlags>([&] { return ethtool_.private_flags(q.netdev); });
  }
  Observed<DriverIdentity> get(const DriverOf& q) { return ioctl_.driver(q.netdev); }
  Observed<Counters> get(const StatisticsOf& q) { return ioctl_.statistics(q.netdev); }

  template <class Change>
  Result<> write(const Change& change) {
    if (const int error = open_route(); error != 0) return fail(error_of(error, "rtnetlink socket"));
    return netlink::write(route_, change);
  }
  Result<> write(const SetPause& change) { return through_ethtool(change); }
  Result<> write(const SetPrivateFlag& change) { return through_ethtool(change); }

 private:
  int open_route() { return route_.is_open() ? 0 : route_.open(NETLINK_ROUTE); }
  int open_ethtool() { return ethtool_.is_open() ? 0 : ethtool_.open(); }
  int open_rdma() { return rdma_.is_open() ? 0 : rdma_.open(); }

  template <class Read>
  std::invoke_result_t<Read, netlink::Socket&> routed(Read&& read) {
    if (const int error = open_route(); error != 0) return tl::unexpected<Gap>(gap_of(error, "rtnetlink socket"));
    return read(route_);
  }
  template <class T, class Read>
  Observed<T> ethtool(Read&& read) {
    const int error = open_ethtool();
    if (error == ENOENT) return gap(GapReason::kNotSupported, "ethtool netlink: not in this kernel (Linux 5.6 has it)");
    if (error != 0) return tl::unexpected<Gap>(gap_of(error, "ethtool netlink"));
    return read();
  }
  template <class T, class Read>
  Observed<T> rdma(Read&& read) {
    const int error = open_rdma();
    if (error == EPROTONOSUPPORT)
      return gap(GapReason::kNotSupported, "RDMA netlink: no RDMA subsystem in this kernel (is ib_core loaded?)");
    if (error != 0) return tl::unexpected<Gap>(gap_of(error, "RDMA netlink"));
    return read();
  }
  template <class Change>
  Result<> through_ethtool(const Change& change) {
    if (const int error = open_ethtool(); error != 0) return fail(error_of(error, "ethtool netlink"));
    return ethtool_.write(change);
  }

  netlink::Socket route_;
  netlink::Ethtool ethtool_;
  netlink::Rdma rdma_;
  EthtoolIoctl ioctl_;
};

class ThisMachine : public LinuxHost {
 public:
  HostCost cost() const override { return {kernel_.requests(), kernel_.ioctls(), file_accesses_}; }

  Observed<std::string> read(const std::string& path, size_t limit) override {
    ++file_accesses_;
    return read_file(path, limit);
  }
  Observed<std::string> read_at(const std::string& path, uint64_t offset, size_t size) override {
    ++file_accesses_;
    return read_file_at(path, offset, size);
  }
  Observed<std::vector<std::string>> list(const std::string& path) override {
    ++file_accesses_;
    return list_folder(path);
  }
  Observed<std::string> link(const std::string& path) override {
    ++file_accesses_;
    return read_link(path);
  }
  Result<> write(const std::string& path, std::string_view text) override {
    ++file_accesses_;
    return write_file(path, text);
  }
  Result<> write_at(const std::string& path, uint64_t offset, std::string_view bytes) override {
    ++file_accesses_;
    return write_file_at(path, offset, bytes);
  }
  Result<> make(const std::string& path) override {
    ++file_accesses_;
    return make_folder(path);
  }
  Result<> remove(const std::string& path) override {
    ++file_accesses_;
    return remove_folder(path);
  }
  Result<> apply(const KernelWrite& write) override {
    return std::visit([&](const auto& change) { return kernel_.write(change); }, write);
  }

 protected:
  Observed<KernelAnswer> ask(const KernelQuery& query) override {
    return std::visit(
        [&](const auto& q) -> Observed<KernelAnswer> {
          auto answer = kernel_.get(q);
          if (!answer) return tl::unexpected<Gap>(std::move(answer).error());
          return KernelAnswer(std::move(*answer));
        },
        query);
  }

 private:
  Kernel kernel_;
  uint64_t file_accesses_ = 0;
};

}  // namespace

std::unique_ptr<LinuxHost> open_linux_host() { return std::make_unique<ThisMachine>(); }

}  // namespace rocert
