// Package workers lets processes on other machines fetch and parse pages for one run.
//
// StartBroker runs a JetStream server in this process, for one workspace. Owner replaces the local page workers of a
// run: it gives jobs to workers and returns their results. RunWorker takes jobs, fetches, parses, and sends results.
// Both ends bound and check the encoded bytes; the owner trusts a worker no more than a web server. Owner and
// workers share streams and tables: settings, dictionary, orders, and each worker's heartbeat, renewed every
// workerBeat.
//
// When a worker dies, its jobs go to another after the lease. Workers store nothing. See docs/machines.md for cost
// and limits.
package workers
