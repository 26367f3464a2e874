package run

import (
	"context"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/records"
)

// Translator turns replies for some addresses into pages, such as a list in JSON into a small HTML
// list. The result is stored as the page's body, so a stored page is read without the Translator.
// It must be safe for concurrent use. It must be deterministic, or every visit would find a change.
type Translator interface {
	// Translates reports whether it handles replies for an address. It is called for every fetched
	// page and must be cheap.
	Translates(address string) bool
	// Translate returns the reply whose body, status and content type are stored and read. A worker
	// calls it with a reply of status 200 … 299. An error says in a few words what does not fit;
	// the stored page then stays, and the address is retried later.
	Translate(ctx context.Context, r Reply) (*fetch.Response, error)
	// Behind returns links to the pages after a list page p, the translated page: mostly the next
	// one, with its Request, Flat. The caller sets Row.Root and Row.Made, and Row.Page if it is 0.
	Behind(address string, sent *records.Request, p *page.Page) []store.Link
}

// lateTranslator is a Translator whose pages may have been stored before it existed.
type lateTranslator interface {
	Translator
	// Awaits reports whether it has not yet translated a page like this address. It is called for
	// every stored page and must be cheap.
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

// Reply is a server's reply for an address.
type Reply struct {
	Address  string           // with its fragment
	Sent     *records.Request // the request sent; nil for a plain GET
	Response *fetch.Response
}

// requestBuilder is a Translator that makes its own requests. Its addresses need no row in
// store/requests, because the address alone determines the request. Its methods are safe for
// concurrent use.
type requestBuilder interface {
	Translator
	// Lists returns list addresses that every run must visit, because an
	// analyst asked for them.
	Lists() []string
	// Asks reports whether it can make the request for an address. It must be cheap.
	Asks(address string) bool
	// Ask returns the request for an address. It may send requests of its own first, and then keeps
	// the host's pause. An error says why the address cannot be requested now.
	Ask(ctx context.Context, address string) (fetch.Request, error)
	// Row reports whether an address is a notice that is a row of its list. Held returns the page
	// of such a notice from the list's body; false if the list does not hold it.
	Row(address string) bool
	Held(address string, list []byte) ([]byte, bool)
}

// translatorFor returns the Translator of an address; nil if there is none.
func translatorFor(all []Translator, address string) Translator {
	for _, t := range all {
		if t.Translates(address) {
			return t
		}
	}
	return nil
}

// requestBuilderFor returns the requestBuilder of an address; nil if there is none.
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
