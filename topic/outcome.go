package topic

// outcome counts verdicts against labels.
type outcome struct{ tp, fp, fn float64 }

func (o *outcome) count(said, is bool) {
	switch {
	case said && is:
		o.tp++
	case said:
		o.fp++
	case is:
		o.fn++
	}
}

// f1 is the harmonic mean of precision and recall, 0 without a hit.
func (o *outcome) f1() float64 {
	if o.tp == 0 {
		return 0
	}
	return 2 * o.tp / (2*o.tp + o.fp + o.fn)
}
