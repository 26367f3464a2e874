package frontier

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// balance says how evenly an assignment fills the queues.
type balance struct {
	Assignment string
	Hosts      int
	Queues     int // of all hosts, empty ones included
	URLs       int
	Min        int // URLs in the emptiest queue
	Max        int // URLs in the fullest queue
	Mean       float64
	Variation  float64 // standard deviation ÷ mean of the URLs per queue
	// as Variation, but against each host's own mean, so that host sizes do not count
	InHost float64
	Peak   float64 // Max ÷ Mean
	// of the hypothesis that a host's queues are filled equally, summed over the hosts
	ChiSquare float64
	Freedom   int // degrees of freedom of ChiSquare: about as large if URLs fall at random
}

// measureBalance counts (host, URL) pairs under an assignment. It keeps n counters per host.
func measureBalance(name string, n int, urls iter.Seq2[string, string]) (balance, error) {
	assign, err := Assignment(name, n)
	if err != nil {
		return balance{}, err
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

func balanceOf(name string, n int, hosts map[string][]int) balance {
	b := balance{Assignment: name, Hosts: len(hosts), Queues: n * len(hosts), Freedom: (n - 1) * len(hosts)}
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

// compareBalance measures every assignment on the same URLs, the most even within hosts first.
// host, which balances nothing, comes last.
func compareBalance(n int, urls iter.Seq2[string, string]) ([]balance, error) {
	var out []balance
	for _, name := range Assignments {
		b, err := measureBalance(name, n, urls)
		if err != nil {
			return nil, err
		}
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b balance) int {
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
