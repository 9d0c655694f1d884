// What a state says of each element of its symmetric sets, as sums of hashes that do not depend on names; behind shapes.h.
#pragma once

// What one slot of a multiset says: a hash of it without names, and the elements that it names.
template <u32 Most>
struct SlotPass {
  const u64* p;
  const u64* colour;
  u64 hash = 0;
  u32 names = 0;
  u32 element[Most == 0 ? 1 : Most];
  u64 at[Most == 0 ? 1 : Most];

  SlotPass(const u64* state, const u64* colours) : p(state), colour(colours) {}

  template <class S, u32 N>
  void value(u64 v, u64 place, const Owners<N>& owners) {
    u64 h = S::blurred(v, ~0u) + place;
    for (u32 i = 0; i < N; ++i) h = mixed(h + colour[owners.e[i]]);
    hash += mixed(h);
    if constexpr (N == 0)
      S::name(v, place, [&](u32 e, u64 where) {
        element[names] = e;
        at[names++] = where;
      });
  }
  template <class S, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (S::kFlat) {
      value<S>(load_bits<S::kBits>(p, offset), place, owners);
    } else if constexpr (!S::kSymmetric) {
      for (u64 i = 0; i < S::kBits; i += 64)
        hash += mixed(get_bits(p, offset + i, S::kBits - i < 64 ? S::kBits - i : 64) + place + i);
    } else {
      S::parts(*this, offset, place, owners);
    }
  }
  // Of a multiset within a slot nothing is said.
  template <class S, u32 N>
  void slot(u64, u64, const Owners<N>&) {}
};

// Adds to the keys of all elements what the state says of them. With colours, only what is said of several elements at once, with
// the colours of the others; without, all of it.
template <bool kColoured>
struct KeyPass {
  const u64* p;
  u64* key;
  const u64* colour;

  u64 colour_of(u32 element) const { return kColoured ? colour[element] : 0; }

  template <class S, u32 N>
  void value(u64 v, u64 place, const Owners<N>& owners) {
    if constexpr (N == 0) {
      if constexpr (!kColoured) S::name(v, place, [&](u32 e, u64 at) { key[e] += mixed(at); });
    } else if constexpr (N == 1) {
      const u32 own = owners.e[0];
      if constexpr (!kColoured) {
        key[own] += mixed(S::blurred(v, own) + place);
        S::name(v, place, [&](u32 e, u64 at) { key[e] += e == own ? 0 : mixed(~at); });
      } else {
        S::name(v, place, [&](u32 e, u64 at) {
          if (e == own) return;
          key[own] += mixed(at + colour[e]);
          key[e] += mixed(~at + colour[own]);
        });
      }
    } else {
      relation<S>(v, place, owners);
    }
  }
  // A value of several elements, which each of them has in another part.
  template <class S, u32 N>
  void relation(u64 v, u64 place, const Owners<N>& owners) {
    u64 h = S::blurred(v, ~0u) + place;
    for (u32 i = 0; i < N; ++i) {
      for (u32 j = 0; j < i; ++j) h += owners.e[i] == owners.e[j] ? kSame * (i * N + j + 1) : 0;
      h = mixed(h + colour_of(owners.e[i]));
    }
    for (u32 i = 0; i < N; ++i) key[owners.e[i]] += mixed(h + i * kPartStep);
    S::name(v, place, [&](u32 e, u64 at) {
      u64 named = h + at + colour_of(e);
      for (u32 i = 0; i < N; ++i) named += e == owners.e[i] ? kSame * (i + 1) : 0;
      named = mixed(named);
      key[e] += mixed(~named);
      for (u32 i = 0; i < N; ++i) key[owners.e[i]] += mixed(named + i * kPartStep);
    });
  }
  template <class S, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (N == 0 && (!S::kSymmetric || (kColoured && !S::kRelates))) {
    } else if constexpr (N == 1 && kColoured && !S::kSymmetric) {
    } else if constexpr (S::kFlat) {
      value<S>(load_bits<S::kBits>(p, offset), place, owners);
    } else if constexpr (!S::kSymmetric) {
      for (u64 i = 0; i < S::kBits; i += 64)
        value<Plain<64>>(get_bits(p, offset + i, S::kBits - i < 64 ? S::kBits - i : 64),
                         place + i * kPlaceStep, owners);
    } else {
      S::parts(*this, offset, place, owners);
    }
  }
  // All that is in a slot belongs together, and which slot it is does not matter.
  template <class S, u32 N>
  void slot(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (N + S::kNames == 0 || (kColoured && N + S::kNames == 1)) return;
    static const u64 none[kMostElements + 1] = {};
    SlotPass<S::kNames> pass{p, kColoured ? colour : none};
    pass.template visit<S>(offset, place, Owners<0>{});
    u64 h = pass.hash;
    for (u32 i = 0; i < N; ++i) h += mixed(colour_of(owners.e[i]) + i * kPartStep);
    for (u32 i = 0; i < pass.names; ++i) {
      h += mixed(colour_of(pass.element[i]) + pass.at[i]);
      for (u32 j = 0; j < i; ++j)
        h += pass.element[i] == pass.element[j] ? mixed(pass.at[i] + 3 * pass.at[j]) : 0;
      for (u32 j = 0; j < N; ++j) h += pass.element[i] == owners.e[j] ? mixed(pass.at[i] + j) : 0;
    }
    h = mixed(h);
    for (u32 i = 0; i < N; ++i) key[owners.e[i]] += mixed(h + i * kPartStep);
    for (u32 i = 0; i < pass.names; ++i) key[pass.element[i]] += mixed(h + ~pass.at[i]);
  }
};

// Marks the elements that the state names somewhere.
struct NamedPass {
  const u64* p;
  bool* named;

  template <class S, u32 N>
  void value(u64 v, u64, const Owners<N>&) {
    S::name(v, 0, [&](u32 e, u64) { named[e] = true; });
  }
  template <class S, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (!S::kSymmetric) {
    } else if constexpr (S::kFlat) {
      value<S>(load_bits<S::kBits>(p, offset), place, owners);
    } else {
      S::parts(*this, offset, place, Owners<0>{});
    }
  }
  template <class S, u32 N>
  void slot(u64 offset, u64 place, const Owners<N>& owners) {
    visit<S>(offset, place, owners);
  }
};
