//go:build !heavy

package remote

// visits is how many sessions come and go.
const visits = 20
