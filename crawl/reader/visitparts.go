package reader

import (
	"encoding/json"
)

// visitPartsState is the name under which the store keeps what canonical addresses leave out, by host.
const visitPartsState = "visit-parts"

// recallIgnored has the resolver leave out what earlier runs learned. An unreadable row is learned again.
func (r *Reader) recallIgnored() {
	var all map[string][]string
	if r.Store == nil || r.Resolver == nil || json.Unmarshal(r.Store.State(visitPartsState), &all) != nil {
		return
	}
	for host, names := range all {
		for _, name := range names {
			r.Resolver.Ignore(host, name)
		}
	}
}

// Ignore has canonical addresses of a host leave out a part from now on, see urls.Resolver. It returns false if they
// do already. An error means that later processes do not know it.
func (r *Reader) Ignore(host, name string) (fresh bool, err error) {
	if !r.Resolver.Ignore(host, name) {
		return false, nil
	}
	v, err := json.Marshal(r.Resolver.Ignored())
	if err != nil {
		return true, err
	}
	return true, r.Store.PutState(visitPartsState, v)
}
