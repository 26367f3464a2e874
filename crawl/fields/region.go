package fields

// takeRegion concludes the region from place names, those of the buyer first.
func (r *reading) takeRegion() {
	field, ok := r.preset("region")
	if !ok {
		return
	}
	for i := range r.found[field] { // a label named a place: 江西省景德镇市 is in 江西
		votes := map[string]float64{}
		voteForRegion(votes, r.found[field][i].Norm, 1)
		if best, _ := mostVotedRegion(votes); best != "" {
			r.found[field][i].Norm = best
		} else {
			r.found[field][i].Sure = 0
		}
	}
	votes := map[string]float64{}
	for _, n := range []struct {
		name   string
		weight float64
	}{{"buyer", 5}, {"agent", 1}} {
		if f, ok := r.set.named[n.name]; ok {
			for _, v := range r.found[f] {
				if v.Sure > MinConfidence {
					voteForRegion(votes, v.Norm, n.weight)
					break
				}
			}
		}
	}
	voteForRegion(votes, r.title.s, 3)
	voteForRegion(votes, r.text.s, .5)
	if host := regionOfHost(r.notice.URL); host != "" {
		votes[host] += 15
	}
	best, share := mostVotedRegion(votes)
	if best == "" {
		return
	}
	r.add(field, Value{Norm: best, Text: best, Source: FromNames, Sure: min(.9, share)})
}
