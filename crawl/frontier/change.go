package frontier

// Remove takes a waiting entry out and reports whether there was one. An entry
// in flight stays until its Done. Of e only ID, Host and Queue count.
func (f *Frontier) Remove(e Entry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.makeRoom()
	defer f.dispatch()
	if s, known := f.byID[e.ID]; known {
		if f.items[s].where == inFlight {
			return false
		}
		f.dequeue(s)
		f.release(s)
		return true
	}
	_, away := f.away.depth(e.ID)
	return away && f.unpark(f.queueOf(e.Host, e.Queue), e.ID)
}

// DropHost takes all waiting entries of a host out and returns how many. What is
// on disk is read once.
func (f *Frontier) DropHost(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.makeRoom()
	h, known := f.byHost[name]
	if !known {
		return 0
	}
	n := 0
	for s := range f.items {
		it := &f.items[s]
		if (it.where == inQueue || it.where == isBeyond || it.where == isLater) && f.hostOf(slot(s)) == h {
			f.dequeue(slot(s))
			f.release(slot(s))
			n++
		}
	}
	n += h.onDisk()
	f.sweep(h)
	n -= h.onDisk()
	f.dispatch()
	return n
}

// onDisk counts a host's entries on disk or on their way, at any depth.
func (h *host) onDisk() (n int) {
	for _, q := range h.queues {
		if q != nil && q.tail != nil {
			for i := range q.tail.lanes {
				n += q.tail.lanes[i].n
			}
		}
	}
	return n
}

// SetDepth sets the depth limit; negative means none. Deeper entries are kept
// and counted as beyond, and come back when the limit rises. It costs one pass
// over all entries in memory and all hosts.
func (f *Frontier) SetDepth(limit int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	limit = max(limit, -1)
	if limit == f.limit {
		return
	}
	f.limit = limit
	f.rebuild()
	f.shed()
	f.dispatch()
}
