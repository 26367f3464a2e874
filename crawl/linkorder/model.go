package linkorder

import "math"

// question is a prediction for a link: whether it leads to a target, and how good a hub it leads to.
type question int

const (
	isTarget question = iota
	isHub
	questions
)

// model holds, for both questions, a logistic regression trained by AdaGrad (Duchi, Hazan and Singer 2011) and a
// naive Bayes classifier over the same 2¹⁸ buckets. It takes 10 MB; memory pages are touched as buckets are. Data
// for predictions is adjacent: one cache line per feature. Not safe for concurrent use.
type model struct {
	rate, l2, add, temper float64

	read  [][questions]weights // by bucket
	learn [][questions]tallied // by bucket; for training only
	class [questions][2]float64
	each  [questions]float64 // naive Bayes's deduction per feature
	all   [questions]float64 // prior log-odds; each and all follow from class
}

// weights holds a bucket's weights for one question.
type weights struct {
	w    float32 // logistic regression
	odds float32 // naive Bayes: ln((n₁+add) ÷ (n₀+add))
}

// tallied holds the training sums of weights.
type tallied struct {
	squares float32   // Σ gradient²
	n       [2]uint32 // examples with this feature, by class
}

func newModel(p Params) *model {
	m := &model{
		rate: p["learned.rate"], l2: p["learned.l2"], add: p["learned.add"], temper: p["learned.temper"],
		read:  make([][questions]weights, buckets),
		learn: make([][questions]tallied, buckets),
	}
	for q := range m.class {
		m.setClass(question(q), [2]float64{1, 1})
	}
	return m
}

// predict returns both predictions, as the mean of the two classifiers or by logistic regression alone:
//
//	LR = σ(Σ w)
//	NB = σ((ln(N₁/N₀) + Σ ln((n₁+add)/(N₁+2add)) − ln((n₀+add)/(N₀+2add))) ÷ temper)
//
// The sums run over the features of a link. N counts the examples of a class (starting at 1), n those of them with
// the feature.
func (m *model) predict(at []uint32, regressionOnly bool) (target, hub float64) {
	var w, odds [questions]float64
	for _, b := range at {
		r := &m.read[b]
		w[isTarget] += float64(r[isTarget].w)
		odds[isTarget] += float64(r[isTarget].odds)
		w[isHub] += float64(r[isHub].w)
		odds[isHub] += float64(r[isHub].odds)
	}
	if regressionOnly {
		return sigmoid(w[isTarget]), sigmoid(w[isHub])
	}
	n := float64(len(at))
	answer := func(q question) float64 {
		return (sigmoid(w[q]) + sigmoid((m.all[q]+odds[q]-n*m.each[q])/m.temper)) / 2
	}
	return answer(isTarget), answer(isHub)
}

// setClass sets the number of examples of each class.
func (m *model) setClass(q question, n [2]float64) {
	m.class[q] = n
	m.each[q] = math.Log((n[1] + 2*m.add) / (n[0] + 2*m.add))
	m.all[q] = math.Log(n[1] / n[0])
}

// train learns from one link with the answer y, 0 … 1. Naive Bayes takes y > ½ as yes.
func (m *model) train(q question, at []uint32, y float64) {
	m.trainRegression(q, at, y)
	class, n := 0, m.class[q]
	if y > .5 {
		class = 1
	}
	n[class]++
	m.setClass(q, n)
	for _, b := range at {
		l := &m.learn[b][q]
		l.n[class]++
		m.read[b][q].odds = m.odds(l.n)
	}
}

// trainRegression trains only the regression.
func (m *model) trainRegression(q question, at []uint32, y float64) {
	sum := 0.0
	for _, b := range at {
		sum += float64(m.read[b][q].w)
	}
	wrong := y - sigmoid(sum)
	for _, b := range at {
		m.move(q, b, wrong)
	}
}

// move updates the regression weight of one bucket: w += rate·g ÷ (√Σg² + .1) with g = (y − p) − l2·w.
func (m *model) move(q question, bucket uint32, wrong float64) {
	r, l := &m.read[bucket][q], &m.learn[bucket][q]
	g := wrong - m.l2*float64(r.w)
	l.squares += float32(g * g)
	r.w += float32(m.rate * g / (math.Sqrt(float64(l.squares)) + .1))
}

func (m *model) odds(n [2]uint32) float32 {
	return float32(math.Log((float64(n[1]) + m.add) / (float64(n[0]) + m.add)))
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
