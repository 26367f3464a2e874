package listpage

// Most handlers of a page call one function with a few literals, and most of those are of
// files that nobody has read: counters, menus, favorites. For them nothing is parsed.

// calledFunction is the function that code calls, if that is all it does and its arguments have no
// effect; "" otherwise.
func calledFunction(code string) string {
	x := newTokenScanner(code, maxCode, maxTokens)
	t := x.Next()
	if t.Kind == Word && t.Text == "return" {
		t = x.Next()
	}
	if t.Kind != Word || keyword(t.Text) || !x.Next().Is("(") {
		return ""
	}
	for {
		switch a := x.Next(); {
		case a.Is(")"):
			if a = x.Next(); a.Kind == TokenEnd || a.Is(";") {
				return t.Text
			}
			return ""
		case a.Kind != Word && a.Kind != String && a.Kind != Number && !a.Is(",") && !a.Is("."):
			return ""
		}
	}
}

// keyword tells the words that parentheses follow without a call.
func keyword(s string) bool {
	switch s {
	case "if", "for", "while", "switch", "with", "function", "return", "typeof", "void", "delete", "await", "new",
		"var", "let", "const", "do", "try", "class", "break", "continue", "throw", "else", "case", "default", "debugger":
		return true
	}
	return false
}

// strange reports whether neither a browser nor the sources define a function.
func (r *ScriptReader) strange(name string) bool {
	if r.find(name).body != nil {
		return false
	}
	f := frame{r: r, quiet: true}
	_, ok := f.builtin(name, func(int) value { return value{kind: null} })
	return !ok
}
