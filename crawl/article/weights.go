package article

// The weights of the clues, in their order, and the bias: the log-odds that a line is
// text change by so much with a clue. TestFitLines printed them.
var lineWeights = [ClueCount]float64{
	-0.046, 0.179, 0.281, -0.033, 0.216, 0.316, 0.276, 0.232,
	0.103, 0.451, -0.455, -0.062, -0.085, 0.164, 0.041, 2.854,
	-0.078, 1.910, 0.093, 0.309, 0.496, 0.058, -0.094, 1.174,
	0.719, 0.765, 0.431, 0.087, -0.525, -0.990, -0.844, 0.444,
	-0.935, -0.369, -0.601, 0.278, -0.511, 0.307, -0.450, -0.382,
	-0.733, 0.804, -0.304, -0.111, 0.664, -0.637, 0.023, -0.403,
	0.100, -0.062, 0.091, -0.014, -0.415, 0.395, -0.509, 0.055,
}

const lineBias = -2.989
