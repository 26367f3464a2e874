package notices

import (
	"encoding/binary"
	"hash/maphash"
	"maps"
	"slices"
	"unicode/utf8"
)

// parts divides notices so that those of different parts have no key in common. The relations of a part depend on its
// notices alone, and on corrections that join parts.
type parts struct {
	ids []uint64 // sorted
	of  []int32  // number of the part of each
}

// parts returns the parts of the builder's notices, whatever corrections say.
func (b *builder) parts() *parts {
	s, known, seed := newSets(len(b.items)), map[uint64]int{}, maphash.MakeSeed()
	for i := range b.items {
		link := func(kind byte, texts ...string) { // equal hashes of different keys join parts, which does no harm
			var h maphash.Hash
			h.SetSeed(seed)
			h.WriteByte(kind)
			for _, t := range texts {
				h.WriteString(t)
				h.WriteByte(0)
			}
			if at, ok := known[h.Sum64()]; ok {
				s.join(at, i, "")
			} else {
				known[h.Sum64()] = i
			}
		}
		x, by := &b.items[i], &b.keys[i]
		if x.Sketch.Long {
			link('f', string(binary.LittleEndian.AppendUint64(nil, x.Sketch.Figures)))
		}
		if by.number != "" {
			link('n', by.party, by.number)
			if by.alone {
				link('#', by.number)
			} else {
				link('h', x.Host, by.number)
			}
		}
		if x.Kind == StateUnknown {
			continue
		}
		for _, n := range [...]string{by.name, by.printed} {
			if utf8.RuneCountInString(n) >= minNameAlone {
				link('@', x.Host, n)
			}
			if n != "" && by.party != "" {
				link('&', by.party, n)
			}
		}
	}
	p := &parts{ids: make([]uint64, len(b.items)), of: make([]int32, len(b.items))}
	for i := range b.items {
		p.ids[i], p.of[i] = b.items[i].ID, int32(s.find(i))
	}
	return p
}

// with returns the notices of the parts that a change of corrections concerns.
func (p *parts) with(before, after Corrections) map[uint64]bool {
	touched := map[int32]bool{}
	of := func(id uint64) (int32, bool) {
		at, ok := slices.BinarySearch(p.ids, id)
		if !ok {
			return 0, false
		}
		return p.of[at], true
	}
	touch := func(id uint64) {
		if part, ok := of(id); ok {
			touched[part] = true
		}
	}
	differing(before.Apart, after.Apart, touch)
	differing(before.Alone, after.Alone, touch)
	differing(before.Joined, after.Joined, touch)
	for n := -1; n != len(touched); { // parts that are joined are one
		n = len(touched)
		for _, joined := range [...]map[uint64]uint64{before.Joined, after.Joined} {
			for id, to := range joined {
				a, ok := of(id)
				b, ok2 := of(to)
				if ok && ok2 && (touched[a] || touched[b]) {
					touched[a], touched[b] = true, true
				}
			}
		}
	}
	ids := map[uint64]bool{}
	for i, part := range p.of {
		if touched[part] {
			ids[p.ids[i]] = true
		}
	}
	return ids
}

// differing calls touch for the keys with different values; a missing value differs from none but the zero value.
func differing[V comparable](a, b map[uint64]V, touch func(id uint64)) {
	for id, v := range a {
		if b[id] != v {
			touch(id)
		}
	}
	for id, v := range b {
		if a[id] != v {
			touch(id)
		}
	}
}

// Correct returns the relations of the same notices after a change of corrections. before are those of k. It relates
// only notices that the change concerns; items returns those with the given ids.
func (k *Relations) Correct(before, after Corrections, items func(ids map[uint64]bool) []RelatedNotice) *Relations {
	ids := k.parts.with(before, after)
	out, _ := relate(items(ids), after)
	out.parts = k.parts
	out.Groups, out.Copies, out.Threads = out.Groups+k.Groups, out.Copies+k.Copies, out.Threads+k.Threads
	groups, threads := map[*DuplicateGroup]bool{}, map[*ProjectThread]bool{}
	for id := range ids {
		if g := k.same[id]; g != nil && !groups[g] {
			groups[g] = true
			out.Groups, out.Copies = out.Groups-1, out.Copies-(len(g.IDs)-1)
		}
		if t := k.threads[id]; t != nil && !threads[t] {
			threads[t] = true
			out.Threads--
		}
	}
	same, all := maps.Clone(k.same), maps.Clone(k.threads)
	for id := range ids {
		delete(same, id)
		delete(all, id)
	}
	maps.Copy(same, out.same)
	maps.Copy(all, out.threads)
	out.same, out.threads = same, all
	return out
}
