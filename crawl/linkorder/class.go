package linkorder

import (
	"angler/crawl/decisions"
	"angler/crawl/frontier"
)

// Class is the class of a URL under the analyst's rules; false when it is to
// leave the frontier: dropped, or no longer in scope.
func (o *Priorities) Class(url string) (class int8, keep bool) {
	if !o.Scope().Contains(url) {
		return frontier.Ordinary, false
	}
	switch o.Decisions.State().Action(url, o.Now()) {
	case decisions.Drop:
		return frontier.Ordinary, false
	case decisions.Boost:
		return frontier.Boosted, true
	case decisions.Bury:
		return frontier.Buried, true
	}
	return frontier.Ordinary, true
}

// ClassName says in a word what a class means for people; "" = ordinary.
func ClassName(class int8) string {
	switch class {
	case frontier.Boosted:
		return "boosted"
	case frontier.Buried:
		return "buried"
	case frontier.Revisit:
		return "revisit"
	}
	return ""
}
