package widget

// Spinner frames, one cell each. Spinner and progress of bubbles have clocks and strings of their
// own; here the program's one clock turns all of them.
var spin = []string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// Spin returns the n-th frame of a spinner.
func Spin(n int) string { return spin[n%len(spin)] }
