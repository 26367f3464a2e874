// Package urlfetch replaces the package of the same name in Google's App Engine library.
// Colly imports it for its option Appengine, which angler does not use. The original
// compiles 39 packages, protocol buffers among them: 3 % of a build.
package urlfetch

import (
	"context"
	"net/http"
)

// Client returns the default client: there is no App Engine here.
func Client(context.Context) *http.Client { return http.DefaultClient }
