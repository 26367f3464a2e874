package decisions

// Faults of a set of samples.
const (
	AdviceOne   = "one sample says little: words of its site may be taken for the topic; add one or two lists of other sites"
	AdviceKinds = "the samples are of two unlike kinds; unless both are wanted, take out those marked odd, or give them a workspace of their own"
)

// advise sets Advice to the fault of the samples.
func (s *State) advise() {
	s.Odd, s.Advice = nil, ""
	if s.Model == nil {
		return
	}
	if len(s.Samples) == 1 {
		s.Advice = AdviceOne
		return
	}
	var used []string
	for i := range s.Samples {
		if s.Samples[i].doc != nil {
			used = append(used, s.Samples[i].URL)
		}
	}
	places, _ := s.Model.Odd()
	for _, i := range places {
		if s.Odd == nil {
			s.Odd, s.Advice = map[string]bool{}, AdviceKinds
		}
		s.Odd[used[i]] = true
	}
}
