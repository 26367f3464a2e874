package widget

import (
	"math"
	"strings"
)

var blocks = [9]string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}

// NeedsLog reports whether a linear scale would hide most of the histogram: the tallest bin is over
// 20 times the median of the non-empty bins.
func NeedsLog(bins []int) bool {
	peak, sum, n := 0, 0, 0
	for _, b := range bins {
		if b > 0 {
			peak = max(peak, b)
			sum += b
			n++
		}
	}
	// The mean without the peak replaces the median: one class of empty pages (all off-topic pages
	// score near 0) makes a linear scale useless.
	return n > 2 && peak > 20*max(1, (sum-peak)/(n-1))
}

// Histogram draws one column a bin, from left to right, growing from the bottom row. low is the
// number of bins below the threshold. With log the height is that of ln(1+n). A non-empty bin shows
// at least an eighth of a cell.
func Histogram(c *Canvas, bins []int, low int, log bool) {
	w, h := c.Size()
	peak := 0
	for _, b := range bins {
		peak = max(peak, b)
	}
	if peak == 0 || h == 0 {
		return
	}
	for x := 0; x < w && x < len(bins); x++ {
		eighths := int(math.Round(scale(bins[x], peak, log) * float64(h*8)))
		if bins[x] > 0 {
			eighths = max(1, eighths)
		}
		st := Either(x < low, barLow, Bar)
		for y := h - 1; y >= 0 && eighths > 0; y-- {
			block := blocks[min(8, eighths)]
			if x < low && c.theme.mono { // replaces the colour
				block = "░"
			}
			c.Text(x, y, st, block)
			eighths -= 8
		}
	}
}

func scale(n, peak int, log bool) float64 {
	if log {
		return math.Log1p(float64(n)) / math.Log1p(float64(peak))
	}
	return float64(n) / float64(peak)
}

// Unscale returns the count at height share (0 … 1) of a histogram with the given peak, for the
// labels of its axis.
func Unscale(share float64, peak int, log bool) int {
	if log {
		return int(math.Round(math.Expm1(share * math.Log1p(float64(peak)))))
	}
	return int(math.Round(share * float64(peak)))
}

// Curve draws ys (each 0 … 1, left to right over the whole width) as a braille line of 2×4 points a
// cell. NaN leaves a gap.
func Curve(c *Canvas, st Style, ys []float64) {
	w, h := c.Size()
	if w == 0 || h == 0 || len(ys) == 0 {
		return
	}
	dots := make([]byte, w*h)
	pw, ph := w*2, h*4
	// Braille numbers its points down the left column, then the right, the
	// lowest row last.
	bit := [4][2]byte{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	last := -1
	for x := 0; x < pw; x++ {
		v := at(ys, float64(x)/float64(max(1, pw-1)))
		if v != v {
			last = -1
			continue
		}
		y := ph - 1 - int(math.Round(math.Max(0, math.Min(1, v))*float64(ph-1)))
		from, to := y, y
		if last >= 0 { // join steep steps
			if last < y-1 {
				from = last + 1
			} else if last > y+1 {
				to = last - 1
			}
		}
		for k := from; k <= to; k++ {
			dots[k/4*w+x/2] |= bit[k%4][x%2]
		}
		last = y
	}
	for i, d := range dots {
		if d != 0 {
			c.Text(i%w, i/w, st, string(rune(0x2800+int(d))))
		}
	}
}

// at interpolates ys at share t of its length.
func at(ys []float64, t float64) float64 {
	f := t * float64(len(ys)-1)
	i := int(f)
	if i >= len(ys)-1 {
		return ys[len(ys)-1]
	}
	return ys[i] + (ys[i+1]-ys[i])*(f-float64(i))
}

// Spark renders values of 0 … 1 as w columns of one row; of more values it shows the last ones.
func Spark(values []float64, w int) string {
	var b strings.Builder
	for _, v := range values[max(0, len(values)-w):] {
		b.WriteString(blocks[1+int(math.Round(math.Max(0, math.Min(1, v))*7))])
	}
	return b.String()
}

// Meter renders a share of 0 … 1 as w squares; a share above 0 shows at least
// one. Squares, not blocks, so that the bars of two rows do not grow together.
func Meter(share float64, w int) string {
	n := 0
	if share > 0 {
		n = min(w, max(1, int(math.Round(share*float64(w)))))
	}
	return strings.Repeat("■", n) + strings.Repeat("·", w-n)
}
