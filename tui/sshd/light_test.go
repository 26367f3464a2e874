//go:build !heavy

package sshd

// visits is how many sessions come and go.
const visits = 20
