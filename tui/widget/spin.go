package widget

// Spinner frames, one cell each. Spinner and progress of bubbles are models with clocks
// and strings of their own; here the program's one clock turns all, and what is drawn are
// cells.
var spin = []string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// Spin returns the n-th frame of a spinner.
func Spin(n int) string { return spin[n%len(spin)] }
