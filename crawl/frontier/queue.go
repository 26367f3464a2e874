package frontier

// queue holds entries of one host: all of them, or those that an assignment
// (P2 2.1.1) gave this number.
type queue struct {
	host   *host
	number uint16 // among the host's
	index  uint32 // in hosts.queues
	heap   []slot // by rank
	tail   *tail  // nil = nothing is on disk
}

// Bounds of what a queue keeps in memory when there is a backlog.
const (
	minHeads  = 16   // at least so many, whatever the budget
	maxRefill = 4096 // read at once
)

// laneKey names a lane on disk.
func (q *queue) laneKey(depth int16) uint64 { return uint64(q.index)<<16 | uint64(uint16(depth)) }
