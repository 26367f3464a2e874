package maintext

// The weights of the clues, in their order, and the bias: the log-odds that a line is
// text change by so much with a clue. TestFitLines printed them.
var lineWeights = [ClueCount]float64{
	-0.052, 0.186, 0.281, -0.041, 0.232, 0.308, 0.287, 0.236,
	0.109, 0.420, -0.456, 0.003, -0.164, 0.168, 0.039, 2.890,
	-0.083, 1.917, 0.086, 0.316, 0.495, 0.056, -0.098, 1.180,
	0.716, 0.768, 0.437, 0.085, -0.489, -0.992, -0.855, 0.455,
	-0.937, -0.375, -0.603, 0.283, -0.509, -0.441, -0.383, -0.729,
	0.797, -0.301, -0.111, 0.675, -0.643, 0.022, -0.409, 0.099,
	-0.067, 0.094, -0.008, -0.417, 0.415, -0.547, 0.056,
}

const lineBias = -2.951
