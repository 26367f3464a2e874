package topic

// TokenLearner is the regression of Learner over tokens alone: hashed words and values of things that no Index holds,
// such as notices. It is immutable and safe for concurrent use.
type TokenLearner struct {
	bias    float64
	weights []float32 // by token
}

// TokenExample is one thing that a person judged. Its tokens are distinct and below the size of the TokenLearner.
type TokenExample struct {
	Tokens []uint32
	Yes    bool
}

// telling is the training of a TokenLearner. Without inputs, the second derivative of the loss is at most ½, so that a
// step of 2 is stable. Step and penalty were chosen on 16 of the profiles in crawl/inbox/relevance_test.go.
var telling = training{step: 2, penalty: .001}

// LearnTokens trains a TokenLearner for tokens below size. Both classes weigh the same, however many examples each has.
// Equal examples in equal order give equal weights. It costs about 10 µs an example of 50 tokens, and 4 bytes a token.
func LearnTokens(examples []TokenExample, size int) *TokenLearner {
	var class [2]float64
	for i := range examples {
		class[classOf(&examples[i])]++
	}
	numbers := map[uint32]int32{}
	ex := make([]example, len(examples))
	for i := range examples {
		c := classOf(&examples[i])
		ex[i] = example{yes: float64(c), weight: 1 / class[c], tokens: make([]int32, len(examples[i].Tokens))}
		for k, t := range examples[i].Tokens {
			n, ok := numbers[t]
			if !ok {
				n = int32(len(numbers))
				numbers[t] = n
			}
			ex[i].tokens[k] = n
		}
	}
	w := fit(ex, len(numbers), telling)
	l := &TokenLearner{bias: w[0], weights: make([]float32, size)}
	for t, n := range numbers {
		l.weights[t] = float32(w[firstToken+n])
	}
	return l
}

func classOf(e *TokenExample) int {
	if e.Yes {
		return 1
	}
	return 0
}

// Probability returns the probability of yes, 0 … 1, for a thing with these tokens. It does not allocate.
func (l *TokenLearner) Probability(parts ...[]uint32) float64 {
	z, n := float32(0), 0
	for _, tokens := range parts {
		n += len(tokens)
		for _, t := range tokens {
			z += l.weights[t]
		}
	}
	return sigmoid(l.bias + float64(z)*tokenUnit(n))
}

// Weight returns the weight of a token: above 0 it speaks for yes, and 0 means that no example has it.
func (l *TokenLearner) Weight(token uint32) float64 { return float64(l.weights[token]) }
