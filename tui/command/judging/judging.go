// Package judging is the commands that say what the pages are judged by, and what
// became of them: samples, topic, features, scores, labels, words.
package judging

import (
	"github.com/spf13/cobra"

	"angler/tui/command/cli"
)

// Commands are the commands of this room; open opens the files that they read.
func Commands(open cli.Open) []*cobra.Command {
	return []*cobra.Command{sampleCommand(), topicCommand(), featuresCommand(), scoreCommand(), labelCommand(open), evalCommand(), explainCommand(), termsCommand(open), segmentCommand(open)}
}
