package widget

// growWidths distributes spare cells by flex; no width exceeds its most. It returns the rest.
func growWidths(width, most, flex []int, spare int) int {
	for spare > 0 {
		sum, full := 0, -1
		for i := range width {
			if width[i] < most[i] {
				sum += flex[i]
			}
		}
		for i := range width {
			if flex[i] > 0 && width[i] < most[i] && spare*flex[i]/sum >= most[i]-width[i] {
				full = i
			}
		}
		switch {
		case sum == 0:
			return spare
		case full >= 0: // the others share its unused part
			spare -= most[full] - width[full]
			width[full] = most[full]
			continue
		}
		for i := range width {
			if flex[i] > 0 && width[i] < most[i] {
				part := spare * flex[i] / sum
				width[i] += part
				spare -= part
				sum -= flex[i]
			}
		}
	}
	return 0
}
