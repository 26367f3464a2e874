package frontier

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Assignments lists the names for Assignment.
var Assignments = []string{"host", "hflp", "elf"}

// maxQueues is the largest n of an Assignment.
const maxQueues = 1024

// Assignment returns the function that assigns a canonical URL to one of n queues of its host (P2
// 2.1.1); n is 1 … maxQueues. Politeness stays with the host, so more queues fetch nothing faster.
// They divide a host's turns evenly among its parts, so that none starves.
//
//   - host: one queue a host, whatever n (Heritrix' hostname policy).
//   - hflp: the URL is cut into parts of equal length whose values are added
//     without carry; the sum modulo n.
//   - elf: ELFHash of the URL modulo n. Take an odd n: the lowest four bits are
//     those of the last letter, and a site's URLs end alike (measured on three
//     sites with n = 8: coefficient of variation 2.98, hflp .20; with n = 7 .11
//     and .15).
func Assignment(name string, n int) (func(url string) uint16, error) {
	if n < 1 || n > maxQueues {
		return nil, fmt.Errorf("%d queues a host; choose from 1 to %d", n, maxQueues)
	}
	var hash func(string) uint32
	switch name {
	case "host":
		return func(string) uint16 { return 0 }, nil
	case "hflp":
		hash = hflp
	case "elf":
		hash = elf
	default:
		return nil, fmt.Errorf("queue assignment %q is unknown; choose from: %v", name, Assignments)
	}
	return func(url string) uint16 { return uint16(hash(url) % uint32(n)) }, nil
}

// hflp folds a URL: parts of four bytes, the last one padded with zeros, are added as numbers; the
// carry out of 32 bits is dropped. P2 gives neither the width of a part nor the order of its bytes.
func hflp(url string) (sum uint32) {
	for len(url) > 0 {
		var part uint32
		for i := range 4 {
			part <<= 8
			if i < len(url) {
				part |= uint32(url[i])
			}
		}
		sum += part
		url = url[min(4, len(url)):]
	}
	return sum
}

// elf is the hash of symbol names in ELF files (System V ABI, 1990).
func elf(url string) (h uint32) {
	for i := range len(url) {
		h = h<<4 + uint32(url[i])
		if g := h & 0xf0000000; g != 0 {
			h ^= g>>24 ^ g
		}
	}
	return h
}

// Balance says how evenly an assignment fills the queues.
type Balance struct {
	Assignment string  `json:"assignment"`
	Hosts      int     `json:"hosts"`
	Queues     int     `json:"queues"` // of all hosts, empty ones included
	URLs       int     `json:"urls"`
	Min        int     `json:"min"` // URLs in the emptiest queue
	Max        int     `json:"max"` // URLs in the fullest queue
	Mean       float64 `json:"mean"`
	Variation  float64 `json:"variation"` // standard deviation ÷ mean of the URLs per queue
	// as Variation, but against each host's own mean, so that host sizes do not count
	InHost float64 `json:"in_host"`
	Peak   float64 `json:"peak"` // Max ÷ Mean
	// of the hypothesis that a host's queues are filled equally, summed over the hosts
	ChiSquare float64 `json:"chi_square"`
	Freedom   int     `json:"freedom"` // degrees of freedom of ChiSquare: about as large if URLs fall at random
}

// measureBalance counts (host, URL) pairs under an assignment. It keeps n counters per host.
func measureBalance(name string, n int, urls iter.Seq2[string, string]) (Balance, error) {
	assign, err := Assignment(name, n)
	if err != nil {
		return Balance{}, err
	}
	if name == "host" {
		n = 1
	}
	hosts := map[string][]int{}
	for host, url := range urls {
		if hosts[host] == nil {
			hosts[host] = make([]int, n)
		}
		hosts[host][assign(url)]++
	}
	return balanceOf(name, n, hosts), nil
}

func balanceOf(name string, n int, hosts map[string][]int) Balance {
	b := Balance{Assignment: name, Hosts: len(hosts), Queues: n * len(hosts), Freedom: (n - 1) * len(hosts)}
	if len(hosts) == 0 {
		return b
	}
	b.Min = math.MaxInt
	for _, queues := range hosts {
		for _, x := range queues {
			b.URLs += x
			b.Min, b.Max = min(b.Min, x), max(b.Max, x)
		}
	}
	b.Mean = float64(b.URLs) / float64(b.Queues)
	all, inside := 0.0, 0.0
	for _, queues := range hosts {
		total := 0
		for _, x := range queues {
			total += x
			d := float64(x) - b.Mean
			all += d * d
		}
		mean := float64(total) / float64(n)
		for _, x := range queues {
			d := float64(x) - mean
			inside += d * d
			b.ChiSquare += d * d / mean // every host has a URL
		}
	}
	b.Variation = math.Sqrt(all/float64(b.Queues)) / b.Mean
	b.InHost = math.Sqrt(inside/float64(b.Queues)) / b.Mean
	b.Peak = float64(b.Max) / b.Mean
	return b
}

// CompareBalance measures every assignment on the same URLs, the most even within hosts first.
// host, which balances nothing, comes last.
func CompareBalance(n int, urls iter.Seq2[string, string]) ([]Balance, error) {
	var out []Balance
	for _, name := range Assignments {
		b, err := measureBalance(name, n, urls)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b Balance) int {
		if x, y := a.Assignment == "host", b.Assignment == "host"; x != y {
			if x {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.InHost, b.InHost)
	})
	return out, nil
}
