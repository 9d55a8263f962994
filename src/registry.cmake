# rocert_registry(NAME FOLDER TYPE HEADER NAMESPACE): compiles FOLDER/*.cc and generates generated/registry/NAME.{h,cc},
# a span over the one object that each file defines and that bears the file's name. Adding a unit is adding a file.
function(rocert_registry name folder type header namespace)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
  set(declarations "")
  set(entries "")
  foreach(source ${sources})
    get_filename_component(unit ${source} NAME_WE)
    string(APPEND declarations "extern const ${type} ${unit};\n")
    string(APPEND entries "    &${namespace}::${unit},\n")
  endforeach()
  set(out ${CMAKE_BINARY_DIR}/generated/registry)
  file(CONFIGURE OUTPUT ${out}/${name}.h @ONLY CONTENT
"// Generated from the files of ${folder}/.
#pragma once
#include <span>
#include \"${header}\"
namespace rocert::registry {
std::span<const ${type}* const> ${name}();
}
")
  file(CONFIGURE OUTPUT ${out}/${name}.cc @ONLY CONTENT
"// Generated from the files of ${folder}/.
#include \"registry/${name}.h\"
#include <vector>
namespace ${namespace} {
${declarations}}
namespace rocert::registry {
std::span<const ${type}* const> ${name}() {
  static const std::vector<const ${type}*> all = {
${entries}  };
  return all;
}
}
")
  add_library(rocert_${name} STATIC ${sources} ${out}/${name}.cc)
  target_link_libraries(rocert_${name} PUBLIC rocert_flags ${ARG_LINK})
  rocert_precompiled(rocert_${name})
endfunction()
