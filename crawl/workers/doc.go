// Package workers lets processes on other machines fetch and parse pages for one run.
//
// StartBroker runs a JetStream server in this process, for one workspace. Owner takes
// the place of the local page workers of a run: it gives jobs to workers and returns
// what they send. RunWorker takes jobs, fetches, parses, and sends results. Jobs and
// results are encoded in bytes that both ends bound and check; the owner trusts a
// worker no more than a server. Owner and workers share streams and tables: settings,
// the dictionary, orders, and a row of each worker that is renewed every workerBeat.
//
// A job that a dead worker held is given to another one after its lease ends. Nothing
// is stored by a worker. See docs/machines.md for cost and limits.
package workers
