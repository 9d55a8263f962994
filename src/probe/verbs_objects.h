// Owners of verbs objects: opened, allocated and registered through the table, released by it in the right order.
#pragma once
#include <infiniband/verbs.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "host/verbs.h"

namespace rocert {

// A verbs object with the table's function that releases it. Move-only, as std::unique_ptr is.
template <class Object>
using Owned = std::unique_ptr<Object, int (*)(Object*)>;

// An open device. An Error names the devices that there are.
Result<Owned<ibv_context>> open_device(const Verbs& verbs, const std::string& name);
Result<Owned<ibv_pd>> allocate_domain(const Verbs& verbs, ibv_context& device);

// Zeroed, page-aligned memory that the device may use. Not copied when moved: addresses stay.
class Buffer {
 public:
  // `access`: IBV_ACCESS_*. An Error tells the size and, where that is it, the memlock limit.
  static Result<Buffer> create(const Verbs& verbs, ibv_pd& domain, size_t size, int access);

  std::span<std::byte> bytes() const { return {memory_.get(), region_->length}; }
  uint64_t address() const { return reinterpret_cast<uintptr_t>(memory_.get()); }
  uint32_t local_key() const { return region_->lkey; }
  uint32_t remote_key() const { return region_->rkey; }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<std::byte, Free>;
  Buffer(Memory memory, Owned<ibv_mr> region) : memory_(std::move(memory)), region_(std::move(region)) {}

  Memory memory_;  // outlives the region
  Owned<ibv_mr> region_;
};

const char* device_name(const ibv_context& device);

}  // namespace rocert
