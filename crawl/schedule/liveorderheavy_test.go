//go:build heavy

package schedule_test

import "time"

func init() {
	liveSites = []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"}
	liveDelays = []time.Duration{0, 12 * time.Millisecond}
}
