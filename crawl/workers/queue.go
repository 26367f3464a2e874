package workers

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of streams, tables and keys on the server.
const (
	jobStream   = "ANGLER_JOBS"
	ownerTable  = "ANGLER_SAID"    // the owner's messages: workerSettings, sharedWords, Orders
	workerTable = "ANGLER_WORKERS" // a workerHello of each worker, renewed every workerBeat

	settingsKey = "settings"
	wordsKey    = "words"  // sharedWords
	orderPrefix = "order." // a workerOrder for one worker

	jobPrefix    = "angler.jobs."
	resultPrefix = "angler.results."
	oldResults   = "ANGLER_RESULTS" // stream of programs with protocol 1
)

// Times of both sides.
const (
	workerBeat = 2 * time.Second  // interval of heartbeats
	Gone       = 5 * workerBeat   // a worker silent for this long loses its jobs
	Lease      = 30 * time.Second // an unanswered job is redelivered after this time; progress renews it
)

// Limits of the streams. A publisher to a full one gets an error.
const (
	maxPayload    = 8 << 20 // bytes of a message; limit of an embedded server
	maxJobs       = 20_000
	maxOwnerTable = 8 << 20
	maxHello      = 16 << 10
	maxLate       = 256 << 20 // bytes of results waiting for the owner; lost ones are sent again
	maxAge        = time.Hour // lifetime of unprocessed messages
)

// workerSettings holds the settings for fetching and reading.
type workerSettings struct {
	Protocol     int
	Version      string // the owner's version of angler, for logs
	Epoch        string // differs after each start of the owner
	UserAgent    string
	Timeout      time.Duration
	MaxBody      int // bytes
	AllowPrivate bool
	IgnoreRobots bool
	SeedHosts    []string
}

// sharedWords is the source of a dictionary, see reader.Vocabulary.
type sharedWords struct{ Engine, User, Stop string }

// workerHello is a worker's heartbeat.
type workerHello struct {
	Name     string
	Protocol int
	Version  string
	Epoch    string // epoch of its owner
	Slots    int    // maximum of concurrent jobs
	Tags     []string
	Since    time.Time
	CPU      float64 // processor cores used since the last heartbeat
	Memory   int64   // bytes, resident
	Error    string  // last error, at Erred; "" = none
	Erred    time.Time
}

// workerOrder is an order of the owner to one worker.
type workerOrder struct {
	Kind  string    // orderEnd, orderBan
	Since time.Time // of orderEnd: start of the process that must end, see workerHello
}

// The kinds of orders.
const (
	orderEnd = "end" // no jobs are left: exit
	orderBan = "ban" // refused: exit
)

// orderKey returns the key of a worker's order; allOrders matches all.
func orderKey(worker string) string { return orderPrefix + worker }

const allOrders = orderPrefix + "*"

var name = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// ValidName reports whether s is a valid worker name, which becomes part of subjects.
func ValidName(s string) bool { return name.MatchString(s) }

// jobSubject and resultSubject return the subjects of a worker's jobs and results.
func jobSubject(worker string) string    { return jobPrefix + worker }
func resultSubject(worker string) string { return resultPrefix + worker }

// allResults matches the results of all workers.
const allResults = resultPrefix + "*"

// workerOf returns the worker's name in a result subject.
func workerOf(subject string) string { return strings.TrimPrefix(subject, resultPrefix) }

// consumerConfig returns the configuration of a worker's queue. More jobs than slots may be unacknowledged, because
// a job is acknowledged after its result is stored. Delivery state is in the server's memory. After a server restart
// the worker makes its queue anew and gets all unacknowledged jobs again.
func consumerConfig(worker string, slots int) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{Durable: worker, FilterSubject: jobSubject(worker),
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: Lease,
		MaxAckPending: 4*slots + 64, MaxDeliver: maxDeliver, InactiveThreshold: 10 * Lease, MemoryStorage: true}
}

// maxDeliver is the maximum number of deliveries of a job to its worker.
const maxDeliver = 20

// isReceipt reports whether a subject, named by a worker, acknowledges one of its own jobs.
func isReceipt(subject, worker string) bool {
	return len(subject) < 400 && strings.HasPrefix(subject, "$JS.ACK.") &&
		strings.Contains(subject, "."+jobStream+"."+worker+".") &&
		strings.Trim(subject, receiptLetters) == ""
}

const receiptLetters = "$._-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// acknowledge is the payload that acknowledges a job.
var acknowledge = []byte("+ACK")

// prepareStreams deletes and recreates the queue and the tables of an earlier owner. replicas 0 keeps them in
// memory, because the server ends with the owner. Else it is 1, or 3 in a cluster.
func prepareStreams(ctx context.Context, js jetstream.JetStream, replicas int) error {
	for _, old := range []string{jobStream, oldResults, "KV_" + workerTable} {
		if err := js.DeleteStream(ctx, old); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("cannot empty the queue %s: %w", old, err)
		}
	}
	storage := jetstream.FileStorage
	if replicas == 0 {
		storage, replicas = jetstream.MemoryStorage, 1
	}
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: jobStream, Subjects: []string{jobPrefix + "*"},
		MaxMsgs: maxJobs, Retention: jetstream.WorkQueuePolicy,
		Storage: storage, Discard: jetstream.DiscardNew, Replicas: replicas, Duplicates: Lease,
		MaxAge: maxAge}); err != nil {
		return fmt.Errorf("cannot make the queue %s: %w", jobStream, err)
	}
	for _, t := range []jetstream.KeyValueConfig{
		{Bucket: ownerTable, MaxValueSize: maxOwnerTable, Storage: jetstream.FileStorage},
		{Bucket: workerTable, MaxValueSize: maxHello, TTL: Gone, Storage: storage},
	} {
		t.Replicas, t.History = replicas, 1
		if _, err := js.CreateOrUpdateKeyValue(ctx, t); err != nil {
			return fmt.Errorf("cannot make the table %s: %w", t.Bucket, err)
		}
	}
	return nil
}

// putJSON stores a value as JSON.
func putJSON(ctx context.Context, t jetstream.KeyValue, key string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = t.Put(ctx, key, b)
	return err
}

// workerUser is the login name for the invitation for all workers, whose token is the password.
const workerUser = "worker"

// workerPermissions returns the subjects that a worker of an embedded server may publish to and subscribe to. It
// reaches only its queue, its results and the tables. name is the worker of a personal invitation; "" means the
// invitation for all.
func workerPermissions(name string) (publish, subscribe []string) {
	inbox := inboxOf(name)
	if name == "" {
		name = "*"
	}
	return []string{
		resultSubject(name), "$KV." + workerTable + "." + name, "$JS.ACK." + jobStream + "." + name + ".>", "$JS.FC.>",
		"$JS.API.INFO", "$JS.API.STREAM.INFO." + jobStream, "$JS.API.STREAM.INFO.KV_" + ownerTable,
		"$JS.API.STREAM.INFO.KV_" + workerTable,
		"$JS.API.CONSUMER.CREATE." + jobStream + "." + name + "." + jobSubject(name), "$JS.API.CONSUMER.INFO." +
			jobStream + "." + name, "$JS.API.CONSUMER.MSG.NEXT." + jobStream + "." + name,
		"$JS.API.CONSUMER.CREATE.KV_" + ownerTable + ".>", "$JS.API.CONSUMER.INFO.KV_" + ownerTable + ".>",
		"$JS.API.CONSUMER.DELETE.KV_" + ownerTable + ".>",
		"$JS.API.DIRECT.GET.KV_" + ownerTable + ".>",
	}, []string{inbox + ".>"}
}

// inboxOf returns the inbox prefix of a worker. A personal invitation has its own inbox, so it hears no other
// worker's replies.
func inboxOf(name string) string {
	if name == "" {
		return nats.InboxPrefix[:len(nats.InboxPrefix)-1]
	}
	return "_INBOX_" + name
}

// WorkerAccess is an invitation: worker, token, and the server certificate's fingerprint.
type WorkerAccess struct {
	Worker      string // "" = for all workers
	Token       string
	Fingerprint [sha256.Size]byte // SHA-256 of the certificate
}

// The prefixes of invitations: for all, and for one worker.
const (
	invitation = "angler-worker-1"
	personal   = "angler-worker-2"
)

// String returns the invitation on one line.
func (a WorkerAccess) String() string {
	parts := []string{invitation, a.Token, hex.EncodeToString(a.Fingerprint[:])}
	if a.Worker != "" {
		parts = slices.Insert(parts, 1, a.Worker)
		parts[0] = personal
	}
	return strings.Join(parts, ":")
}

// ParseWorkerAccess parses an invitation.
func ParseWorkerAccess(s string) (a WorkerAccess, err error) {
	p := strings.Split(strings.TrimSpace(s), ":")
	if len(p) == 4 && p[0] == personal && ValidName(p[1]) {
		a.Worker = p[1]
		p = []string{invitation, p[2], p[3]}
	}
	if len(p) != 3 || p[0] != invitation || p[1] == "" || len(p[2]) != 2*sha256.Size {
		return a, errors.New("this is no invitation; make one where the workspace is: angler workers invite DIR > FILE")
	}
	if _, err := hex.Decode(a.Fingerprint[:], []byte(p[2])); err != nil {
		return a, errors.New("the invitation is damaged; make another: angler workers invite DIR > FILE")
	}
	a.Token = p[1]
	return a, nil
}

// For derives the invitation for one worker from that for all. Its holder cannot derive others.
func (a WorkerAccess) For(worker string) WorkerAccess {
	m := hmac.New(sha256.New, []byte(a.Token))
	m.Write([]byte(worker))
	a.Worker, a.Token = worker, hex.EncodeToString(m.Sum(nil))
	return a
}

// opens reports whether user and password match this invitation, or one derived from it by For. worker is the
// latter's name.
func (a WorkerAccess) opens(user, password string) (worker string, ok bool) {
	token := a.Token
	if user != workerUser {
		if worker = strings.TrimPrefix(user, personalUser); worker == user || !ValidName(worker) {
			return "", false
		}
		token = a.For(worker).Token
	}
	return worker, subtle.ConstantTimeCompare([]byte(token), []byte(password)) == 1
}

// personalUser is the prefix of login names for personal invitations.
const personalUser = "worker."

// Options returns connection options that accept only the server of this invitation.
func (a WorkerAccess) Options() []nats.Option {
	user := workerUser
	if a.Worker != "" {
		user = personalUser + a.Worker
	}
	return []nats.Option{nats.UserInfo(user, a.Token), nats.CustomInboxPrefix(inboxOf(a.Worker)),
		nats.Secure(&tls.Config{
			MinVersion:         tls.VersionTLS13,
			InsecureSkipVerify: true, // the fingerprint identifies the certificate; no authority signed it
			VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
				if len(raw) > 0 {
					if sum := sha256.Sum256(raw[0]); subtle.ConstantTimeCompare(sum[:], a.Fingerprint[:]) == 1 {
						return nil
					}
				}
				return ErrCertificate
			},
		})}
}

// ErrCertificate means that the server's certificate differs from the invitation's.
var ErrCertificate = errors.New(
	"the server shows another certificate than the invitation names; make a new invitation where the workspace is, or another server is in between")
