package lab

// Site, for external tests.
var Site = site

// PagesFor, for external tests.
func (c Curve) PagesFor(share float64) int { return c.pagesFor(share) }
