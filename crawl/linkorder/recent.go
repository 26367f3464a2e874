package linkorder

// recent is a map that drops old keys: when half the limit is young, it drops the old half. A key costs 30 to 60
// bytes in Go's maps.
type recent[V any] struct {
	half       int
	young, old map[uint64]V
}

// newRecent returns a map that keeps between limit/2 and limit keys.
func newRecent[V any](limit int) recent[V] {
	return recent[V]{half: max(limit/2, 1), young: map[uint64]V{}}
}

func (r *recent[V]) get(key uint64) (V, bool) {
	v, ok := r.young[key]
	if !ok {
		v, ok = r.old[key]
	}
	return v, ok
}

func (r *recent[V]) put(key uint64, v V) {
	if len(r.young) >= r.half {
		if _, ok := r.young[key]; !ok {
			r.old, r.young = r.young, make(map[uint64]V)
		}
	}
	r.young[key] = v
}

func (r *recent[V]) len() int { return len(r.young) + len(r.old) }
