// The state in the generated text:
//
//   struct State        unpacked, one member v<N>_<name> for each variable
//   load, unpack        from the bytes of a state to words, from words to a State
//   pack_all            from a State to words
//   Context             what a call works on (native/runtime/call_context.h); on the host
#pragma once

#include <functional>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class StateEmitter {
 public:
  StateEmitter(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program), types_(types), layout_(layout), target_(out.target), text_(out.text) {}
  // The types State and Context, and what is declared of them.
  void emit();
  void emit_packing();
  // On a device: the type State, which also has the fault and the covers that statements note; and unpack, pack_all.
  void emit_for_device();

 private:
  static std::string unpack_head(size_t v);
  static std::string store_head(size_t v);
  void struct_state(const std::string& more = "");
  void pack_all_for_device();
  void variable_of();
  void load();
  void unpack();
  std::string unpack_call(size_t v, const std::string& state) const;
  void load_next();
  void unpack_variable(size_t v);
  void store_variable(size_t v);
  void unpack_leaf(const StateLayout::Leaf& leaf);
  void load_variable(size_t v);
  void pack_all();
  // Statements by number. Many of them are in functions NAME_part0, NAME_part1 and so on, of kPiece statements each.
  static constexpr size_t kPiece = 256;
  struct Pieces {
    const char *name, *parameters, *arguments;
    size_t count;
    std::function<void(size_t)> emit;
  };
  void pieces_of(const Pieces& pieces);   // those functions, if they are many
  void all_pieces(const Pieces& pieces);  // calls of them, or the statements
  void context();

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  const Target& target_;
  Text& text_;
};

}  // namespace strata::native
