package run

import (
	"context"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/records"
)

// Translator makes pages of what servers send for some addresses: a list in JSON becomes
// a small list in HTML. What it makes is stored as the body of the page, so that a stored
// page is read without it. It must be safe for concurrent use, and must make the same
// page of the same reply, or every visit would find a change.
type Translator interface {
	// Translates reports whether replies for an address are its. It is asked for every
	// page that comes in, and must be cheap.
	Translates(address string) bool
	// Translate returns the reply whose body, status and content type are stored and read
	// in place of those that came. It is called on a worker with what came with status
	// 200 … 299. An error says in a few words what does not fit; then what is stored of
	// the address stays, and it is asked again later.
	Translate(ctx context.Context, r Reply) (*fetch.Response, error)
	// Behind returns the pages behind one of a list, by what is stored of it (p, the
	// translated page): mostly the next one, with its Request, Flat. Row.Root and Row.Made
	// are filled in by the caller, and so is Row.Page where it is 0.
	Behind(address string, sent *records.Request, p *page.Page) []store.Link
}

// lateTranslator is a Translator whose pages may have been stored before it was asked for them.
type lateTranslator interface {
	Translator
	// Awaits reports whether it has translated no page like that of an address yet. It is
	// asked for every stored page, and must be cheap.
	Awaits(address string) bool
}

// isAwaited reports whether a lateTranslator waits for an address.
func isAwaited(all []Translator, address string) bool {
	for _, t := range all {
		if l, ok := t.(lateTranslator); ok && l.Awaits(address) {
			return true
		}
	}
	return false
}

// Reply is what a server sent for an address.
type Reply struct {
	Address  string           // with its fragment
	Sent     *records.Request // what was sent; nil for a plain GET
	Response *fetch.Response
}

// requestBuilder is a Translator that says itself what is sent: its addresses need no row in
// store/records, because the address alone names the request. Its methods are safe for
// concurrent use.
type requestBuilder interface {
	Translator
	// Lists are the addresses of lists that a run is to visit whatever else it knows of
	// them: a person has asked for them.
	Lists() []string
	// Asks reports whether it knows what to send for an address. It must be cheap.
	Asks(address string) bool
	// Ask returns what is sent for an address. It may send requests of its own first, and
	// then leaves their host the pause that it wants. An error is why the address cannot
	// be asked for now.
	Ask(ctx context.Context, address string) (fetch.Request, error)
	// Row reports whether an address is that of a notice that stands in the list that
	// announced it; Held is its page, by the body of that list, false when the list does
	// not hold it.
	Row(address string) bool
	Held(address string, list []byte) ([]byte, bool)
}

// translatorFor is the Translator of an address; nil when there is none.
func translatorFor(all []Translator, address string) Translator {
	for _, t := range all {
		if t.Translates(address) {
			return t
		}
	}
	return nil
}

// requestBuilderFor is the requestBuilder of an address; nil when there is none.
func requestBuilderFor(all []Translator, address string) requestBuilder {
	if urls.IsPlain(address) {
		return nil
	}
	for _, t := range all {
		if a, ok := t.(requestBuilder); ok && t.Translates(address) {
			return a
		}
	}
	return nil
}
