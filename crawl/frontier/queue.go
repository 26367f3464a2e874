package frontier

// queue holds entries of one host: all, or those that an assignment (P2 2.1.1) gave this number.
type queue struct {
	host   *host
	number uint16 // number among the host's queues
	index  uint32 // index in hosts.queues
	heap   []slot // by rank
	tail   *tail  // nil = nothing on disk
}

// Bounds of a queue in memory, with a backlog.
const (
	minHeads  = 16   // entries that each queue keeps, whatever the budget
	maxRefill = 4096 // entries read at once
)

// laneKey returns the key of a lane on disk.
func (q *queue) laneKey(depth int16) uint64 { return uint64(q.index)<<16 | uint64(uint16(depth)) }
