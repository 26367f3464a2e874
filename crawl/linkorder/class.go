package linkorder

import (
	"angler/crawl/decisions"
	"angler/crawl/frontier"
)

// Class returns the class of a URL under the analyst's rules. keep is false if a rule drops the URL or it is out of
// scope.
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

// ClassName returns one word for a class; "" means ordinary.
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
