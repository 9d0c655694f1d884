// What a state says of each element of its symmetric sets, as sums of hashes that do not depend on names;
// behind shapes.h.
#pragma once

// The shares of several elements in one hash.
static inline u64 share(u64 hash, u32 part) {
  const u32 bits = 11 * (part + 1) % 64;
  return hash << bits | hash >> (64 - bits) % 64;
}

// What one slot of a multiset says: a hash of it without names, and the elements that it names.
template <bool kColoured, u32 Most, u32 kNone>
struct SlotPass {
  static constexpr bool kCompares = false;
  const u64* p;
  const u64* colour;
  u64 hash = 0;
  u32 names = 0;
  u32 element[Most + 1];
  u64 at[Most + 1];

  SlotPass(const u64* state, const u64* colours) : p(state), colour(colours) {}

  template <class Shape, u32 N>
  void value(u64 v, u64 place, const Owners<N>& owners) {
    u64 h = Shape::blurred(v, ~0u) + place;
    for (u32 i = 0; i < N; ++i) h = mixed(h + (kColoured ? colour[owners.e[i]] : 0));
    hash += mixed(h);
    if constexpr (N == 0)
      Shape::name(v, place, [&](u32 e, u64 where) {
        element[names] = e;
        at[names] = where;
        names += e != kNone;
      });
  }
  template <class Shape, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (Shape::kFlat) {
      value<Shape>(load_bits<Shape::kBits>(p, offset), place, owners);
    } else if constexpr (!Shape::kSymmetric) {
      for (u64 i = 0; i < Shape::kBits; i += 64)
        hash += mixed(get_bits(p, offset + i, Shape::kBits - i < 64 ? Shape::kBits - i : 64) + place + i);
    } else {
      Shape::parts(*this, offset, place, owners);
    }
  }
  // Of a multiset within a slot nothing is said.
  template <class Shape, u32 N>
  void slot(u64, u64, const Owners<N>&) {}
};

// Calls f(element) for each place of a state that names one, but for those in rows of the element itself.
template <class F>
struct NamePass {
  static constexpr bool kCompares = false;
  const u64* p;
  F f;

  template <class Shape, u32 N>
  void value(u64 v, u64, const Owners<N>& owners) {
    Shape::name(v, 0, [&](u32 e, u64) {
      if (N != 1 || e != owners.e[0]) f(e);
    });
  }
  template <class Shape, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (!Shape::kSymmetric) {
    } else if constexpr (Shape::kFlat) {
      value<Shape>(load_bits<Shape::kBits>(p, offset), place, owners);
    } else {
      Shape::parts(*this, offset, place, owners);
    }
  }
  template <class Shape, u32 N>
  void slot(u64 offset, u64 place, const Owners<N>& owners) {
    visit<Shape>(offset, place, owners);
  }
};

template <class Shape, class F>
static inline void each_name(const u64* p, u64 offset, F f) {
  NamePass<F> pass{p, f};
  pass.template visit<Shape>(offset, 0, Owners<0>{});
}

// The names in rows: which element's row names which other one, and in which place.
template <u32 kElements>
struct LinkPass {
  static constexpr bool kCompares = false;
  static constexpr u32 kMost = 4 * kElements < 64 ? 4 * kElements : 64;
  const u64* p;
  u32 count = 0;  // more than kMost: the others are not listed
  Element own[kMost], named[kMost];
  u64 at[kMost];

  explicit LinkPass(const u64* state) : p(state) {}
  template <class Shape, u32 N>
  void value(u64 v, u64 place, const Owners<N>& owners) {
    if constexpr (N == 1 && Shape::kSymmetric)
      Shape::name(v, place, [&](u32 e, u64 where) {
        if (e == kElements || e == owners.e[0]) return;
        if (count < kMost)
          own[count] = static_cast<Element>(owners.e[0]), named[count] = static_cast<Element>(e),
          at[count] = where;
        ++count;
      });
  }
  template <class Shape, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (!Shape::kSymmetric || N > 1 || (N == 0 && !Shape::kRows)) {
    } else if constexpr (Shape::kFlat) {
      value<Shape>(load_bits<Shape::kBits>(p, offset), place, owners);
    } else {
      Shape::parts(*this, offset, place, owners);
    }
  }
  template <class Shape, u32 N>
  void slot(u64, u64, const Owners<N>&) {}
};

// What is known of each element: its key, and in how many places it is named, without its own rows.
template <u32 kElements>
struct Knowledge {
  u64 key[kElements + 1] = {};
  u32 names[kElements + 1] = {};
};

// Adds to the knowledge of all elements what the state says of them, or takes it back. With colours, only
// what is said of several elements at once goes into the keys, with the colours of the others.
template <bool kColoured, u32 kNone>
struct KeyPass {
  static constexpr bool kCompares = false;
  const u64* p;
  u64* key;
  u32* names;
  const u64* colour;
  u64 minus = 0;  // all ones: takes it back

  u64 colour_of(u32 element) const { return kColoured ? colour[element] : 0; }
  void add(u32 element, u64 hash) const { key[element] += (hash ^ minus) - minus; }
  void name(u32 element) const {
    if constexpr (!kColoured) names[element] += 1 + 2 * static_cast<u32>(minus);
  }

  template <class Shape, u32 N>
  void value(u64 v, u64 place, const Owners<N>& owners) {
    if (v == 0) return;
    if constexpr (N == 0) {
      if constexpr (!kColoured)
        Shape::name(v, place, [&](u32 e, u64 at) {
          add(e, mixed(at));
          name(e);
        });
    } else if constexpr (N == 1) {
      const u32 own = owners.e[0];
      if constexpr (!kColoured) {
        add(own, mixed(Shape::blurred(v, own) + place));
        Shape::name(v, place, [&](u32 e, u64 at) {
          add(e, e == own ? 0 : mixed(~at));
          if (e != own) name(e);
        });
      } else {
        Shape::name(v, place, [&](u32 e, u64 at) {
          if (e == own) return;
          add(own, mixed(at + colour[e]));
          add(e, mixed(~at + colour[own]));
        });
      }
    } else {
      relation<Shape>(v, place, owners);
    }
  }
  // A value of several elements, which each of them has in another part.
  template <class Shape, u32 N>
  void relation(u64 v, u64 place, const Owners<N>& owners) {
    u64 h = Shape::blurred(v, ~0u) + place;
    for (u32 i = 0; i < N; ++i) {
      for (u32 j = 0; j < i; ++j) h += owners.e[i] == owners.e[j] ? kSame * (i * N + j + 1) : 0;
      if constexpr (kColoured) h = mixed(h + colour[owners.e[i]]);
    }
    const u64 hash = mixed(h);
    for (u32 i = 0; i < N; ++i) add(owners.e[i], share(hash, i));
    Shape::name(v, place, [&](u32 e, u64 at) {
      if (e == kNone) return;
      u64 named = h + at + colour_of(e);
      for (u32 i = 0; i < N; ++i) named += e == owners.e[i] ? kSame * (i + 1) : 0;
      named = mixed(named);
      add(e, ~named);
      name(e);
      for (u32 i = 0; i < N; ++i) add(owners.e[i], share(named, i));
    });
  }
  template <class Shape, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (N == 0 && (!Shape::kSymmetric || (kColoured && !Shape::kRelates))) {
    } else if constexpr (N == 1 && kColoured && !Shape::kSymmetric) {
    } else if constexpr (Shape::kFlat) {
      value<Shape>(load_bits<Shape::kBits>(p, offset), place, owners);
    } else if constexpr (!Shape::kSymmetric) {
      for (u64 i = 0; i < Shape::kBits; i += 64)
        value<Plain<64>>(get_bits(p, offset + i, Shape::kBits - i < 64 ? Shape::kBits - i : 64),
                         place + i * kPlaceStep, owners);
    } else {
      Shape::parts(*this, offset, place, owners);
    }
  }
  // All that is in a slot belongs together, and which slot it is does not matter.
  template <class Shape, u32 N>
  void slot(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (N + Shape::kNames == 0 || (kColoured && N + Shape::kNames == 1)) return;
    SlotPass<kColoured, Shape::kNames, kNone> pass{p, colour};
    pass.template visit<Shape>(offset, place, Owners<0>{});
    u64 h = pass.hash;
    if constexpr (kColoured)
      for (u32 i = 0; i < N; ++i) h += mixed(colour[owners.e[i]] + i * kPartStep);
    for (u32 i = 0; i < pass.names; ++i) {
      if constexpr (kColoured) h += mixed(colour[pass.element[i]] + pass.at[i]);
      for (u32 j = 0; j < i; ++j)
        h += pass.element[i] == pass.element[j] ? mixed(pass.at[i] + 3 * pass.at[j]) : 0;
      for (u32 j = 0; j < N; ++j) h += pass.element[i] == owners.e[j] ? mixed(pass.at[i] + j) : 0;
    }
    h = mixed(h);
    for (u32 i = 0; i < N; ++i) add(owners.e[i], share(h, i));
    for (u32 i = 0; i < pass.names; ++i) add(pass.element[i], mixed(h + ~pass.at[i]));
    if constexpr (kColoured) {
    } else if constexpr (Shape::kRows || Shape::kSlots) {  // the pass has not seen all of them
      each_name<Shape>(p, offset, [&](u32 e) { name(e); });
    } else {
      for (u32 i = 0; i < pass.names; ++i) name(pass.element[i]);
    }
  }
};

// Brings the knowledge of state p to that of state q, by what differs in them, and marks the elements that
// this is about.
template <u64 kWords, u32 kElements>
struct DeltaPass {
  static constexpr bool kCompares = true;
  const u64 *p, *q;
  KeyPass<false, kElements> old, now;
  bool* touched;
  WordMarks<kWords> changed;

  DeltaPass(const u64* from, const u64* to, Knowledge<kElements>& knowledge, bool* touched_)
      : p(from),
        q(to),
        old{from, knowledge.key, knowledge.names, nullptr, ~0ull},
        now{to, knowledge.key, knowledge.names, nullptr},
        touched(touched_) {
    for (u64 i = 0; i < kWords; ++i) changed.set(i, p[i] != q[i]);
  }

  template <class Shape, u32 N>
  void values(u64 was, u64 is, u64 place, const Owners<N>& owners) {
    old.template value<Shape>(was, place, owners);
    now.template value<Shape>(is, place, owners);
    for (u32 i = 0; i < N; ++i) touched[owners.e[i]] = true;
    if constexpr (Shape::kSymmetric) {
      Shape::name(was, 0, [&](u32 e, u64) { touched[e] = true; });
      Shape::name(is, 0, [&](u32 e, u64) { touched[e] = true; });
    }
  }
  template <class Shape, u32 N>
  void visit(u64 offset, u64 place, const Owners<N>& owners) {
    if constexpr (Shape::kBits == 0 || (N == 0 && !Shape::kSymmetric)) {
    } else if (!changed.any(offset, Shape::kBits)) {
    } else if constexpr (Shape::kFlat) {
      const u64 was = load_bits<Shape::kBits>(p, offset), is = load_bits<Shape::kBits>(q, offset);
      if (was != is) values<Shape>(was, is, place, owners);
    } else if constexpr (!Shape::kSymmetric) {
      for (u64 i = 0; i < Shape::kBits; i += 64) {
        const u64 bits = Shape::kBits - i < 64 ? Shape::kBits - i : 64;
        const u64 was = get_bits(p, offset + i, bits), is = get_bits(q, offset + i, bits);
        if (was != is) values<Plain<64>>(was, is, place + i * kPlaceStep, owners);
      }
    } else {
      Shape::parts(*this, offset, place, owners);
    }
  }
  // The slots are sorted, so those at the beginning and at the end are mostly the same.
  template <class M, u32 N>
  void slots(u64 offset, u64 place, const Owners<N>& owners) {
    using Part = typename M::Slot;
    const u64 was = M::count(p, offset), is = M::count(q, offset);
    const u64 least = was < is ? was : is;
    const auto equal = [&](u64 i, u64 j) {
      return same_bits_in(p, M::slot(offset, i), q, M::slot(offset, j), Part::kBits);
    };
    u64 front = 0, back = 0;
    while (front < least && equal(front, front)) ++front;
    while (front + back < least && equal(was - 1 - back, is - 1 - back)) ++back;
    if (front + back == was && was == is) return;
    for (u64 i = front; i + back < was; ++i) old.template slot<Part>(M::slot(offset, i), place, owners);
    for (u64 i = front; i + back < is; ++i) now.template slot<Part>(M::slot(offset, i), place, owners);
    for (u32 i = 0; i < N; ++i) touched[owners.e[i]] = true;
    if constexpr (Part::kRows) {
      for (u32 e = 0; e < kElements; ++e) touched[e] = true;
    }
    const auto touch = [&](u32 e) { touched[e] = true; };
    for (u64 i = front; i + back < was; ++i) each_name<Part>(p, M::slot(offset, i), touch);
    for (u64 i = front; i + back < is; ++i) each_name<Part>(q, M::slot(offset, i), touch);
  }
};
