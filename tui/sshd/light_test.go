//go:build !heavy

package sshd

// visits is the number of sessions.
const visits = 20
