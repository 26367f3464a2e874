package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/report"
	"angler/tui/widget"
)

func wordsCommand() *cobra.Command {
	var f engineFlags
	var n int
	c := &cobra.Command{
		Use: "words DIR", Short: "List the feature words of the samples",
		Example: "  angler topic words DIR --top 20",
		RunE: runs(f.readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			rows := e.Topic.Features()
			if rows == nil {
				return decisions.ErrNoModel
			}
			if err := e.Topic.Err(); err != nil {
				c.PrintErrln("angler:", err)
			}
			if n > 0 && len(rows) > n {
				rows = rows[:n]
			}
			return printed(c, featureRows(rows), nil, func(w io.Writer) { writeFeatures(w, rows) })
		}),
	}
	c.Flags().IntVar(&n, "top", 50, "number of words; 0 for all")
	return jsonFlag(c)
}

func writeFeatures(w io.Writer, rows []topic.Feature) {
	t := report.Columns(w, "TF\tdf\tIDF\tTF/IDF\tTF·IDF\tbackground\tneg. TF\ttaken\tweight\tword\tsites", 9, 10)
	for _, r := range rows {
		fmt.Fprintf(t, "%.4f\t%d/%d\t%.2f\t%.4f\t%.4f\t%.1f %%\t%.4f\t%.0f %%\t%.3f\t%s\t%s\n", r.TF, r.DF,
			r.Samples, r.IDF, r.TFdivIDF, r.TFIDF, 100*r.Background, r.NegativeTF, 100*r.Taken, r.Weight,
			r.Word, siteUse(r))
	}
	t.Flush()
}

func scoreCommand() *cobra.Command {
	var f engineFlags
	c := &cobra.Command{
		Use: "score DIR URL|FILE…", Short: "Score pages under the current topic",
		Example: "  angler topic score DIR http://zbb.example.edu.cn/zbgg.htm",
		RunE: runs(f.readingWords, func(c *cobra.Command, e *crawl.Engine, args []string) error {
			for _, s := range args[1:] {
				row, err := e.Topic.Score(c.Context(), s)
				if err != nil {
					return err
				}
				if wantsJSON(c) {
					err = report.JSON(c.OutOrStdout(), row)
				} else {
					verdict := "below"
					if row.Above {
						verdict = "above"
					}
					_, err = fmt.Fprintf(c.OutOrStdout(), "%.4f  %s θ %.3f  %d of %d records dated  %s  %s\n",
						row.Score, verdict, row.Theta, row.Dated, row.Records, row.URL, row.Title)
				}
				if err != nil {
					return err
				}
			}
			return nil
		}),
	}
	f.fetching(c)
	return jsonFlag(c)
}

func explainCommand() *cobra.Command {
	var f engineFlags
	c := &cobra.Command{
		Use: "explain DIR URL", Short: "Explain how an address is read and scored",
		Example: "  angler topic explain DIR http://zbb.example.edu.cn/zbgg.htm",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkURL(args[1]); err != nil {
				return err
			}
			return f.readingWords(c, args[0], func(e *crawl.Engine) error {
				x, err := e.Pages.Explain(c.Context(), args[1])
				if err != nil {
					return err
				}
				alarms, err := e.Lists.Alarms(c.Context())
				if err != nil {
					return err
				}
				if i := slices.IndexFunc(alarms, func(a view.ListAlarm) bool { return a.URL == x.URL }); i >= 0 {
					x.Alarm = &alarms[i]
				}
				if x.Notices, err = e.Lists.Notices(c.Context(), x.URL); err != nil {
					return err
				}
				if wantsJSON(c) {
					return report.JSON(c.OutOrStdout(), x)
				}
				return x.Write(c.OutOrStdout())
			})
		},
	}
	f.fetching(c)
	return jsonFlag(c)
}

// featureRow is one feature word in exports.
type featureRow struct {
	Word       string  `json:"word"`
	TF         float64 `json:"tf"`
	DF         int     `json:"df"`
	IDF        float64 `json:"idf"`
	TFdivIDF   float64 `json:"tf_div_idf"`
	TFIDF      float64 `json:"tf_idf"`
	Coverage   float64 `json:"coverage"`
	Background float64 `json:"background_df"`
	Share      float64 `json:"share"`       // of a site's pages, 0 … 1
	Sites      float64 `json:"sites"`       // how many sites use it, by evenness
	OfSites    int     `json:"of_sites"`    // known sites
	NegativeTF float64 `json:"negative_tf"` // share of the negative samples' words
	NegativeDF int     `json:"negative_df"`
	Taken      float64 `json:"taken"` // share of the weight that the negative samples took, 0 … 1
	Weight     float64 `json:"weight"`
	On         bool    `json:"on"`
	Expert     bool    `json:"expert"`
}

// siteUse describes how the sites use a feature word; "" if too few pages are known.
func siteUse(f topic.Feature) string {
	if f.Sites == 0 {
		return ""
	}
	return fmt.Sprintf(siteUseFormat, 100*f.Share, f.Users, f.Sites)
}

// siteUseFormat takes a share in percent, the number of sites that use a word, and the number of
// all.
const siteUseFormat = "stands on about %.0f %% of a site's pages, %.1f of %d sites use it"

// featureRows converts the feature table to export rows.
func featureRows(list []topic.Feature) []featureRow {
	return widget.Map(list, func(f topic.Feature) featureRow {
		return featureRow{Word: f.Word, TF: f.TF, DF: f.DF, IDF: f.IDF, TFdivIDF: f.TFdivIDF, TFIDF: f.TFIDF,
			Coverage: f.Coverage, Background: f.Background,
			Share: view.Round(f.Share), Sites: view.Round(f.Users), OfSites: f.Sites,
			NegativeTF: f.NegativeTF, NegativeDF: f.NegativeDF, Taken: f.Taken, Weight: f.Weight, On: f.On,
			Expert: f.Expert}
	})
}
