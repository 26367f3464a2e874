package workers

import "time"

// SetPatience changes how long a job waits for a worker with the tag of its host.
func (o *Owner) SetPatience(d time.Duration) { o.patience = d }
