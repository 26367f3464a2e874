package workers

import "time"

// Names that the tests of whole crawls use.
type (
	HostFacts      = hostFacts
	Job            = pageJob
	JobResult      = jobResult
	WorkerHello    = workerHello
	WorkerSettings = workerSettings
)

const (
	AllResults   = allResults
	JobStream    = jobStream
	OrderBan     = orderBan
	OrderEnd     = orderEnd
	OwnerTable   = ownerTable
	SettingsKey  = settingsKey
	WireProtocol = wireProtocol
	WorkerBeat   = workerBeat
	WorkerTable  = workerTable
	WorkerUser   = workerUser
)

var (
	ConsumerConfig  = consumerConfig
	DecodeJob       = decodeJob
	DecodeJobResult = decodeJobResult
	JobSubject      = jobSubject
	OrderKey        = orderKey
	PutJSON         = putJSON
	ResultSubject   = resultSubject
)

// SetPatience changes how long a job waits for a worker with the tag of its host.
func (o *Owner) SetPatience(d time.Duration) { o.patience = d }
