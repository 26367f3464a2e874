package htmldoc

// bodySurvey holds statistics of double bytes beyond ASCII.
type bodySurvey struct {
	pairs, lowTail int // double bytes; those with a second byte below 0x7F
	gb2312, broken int // pairs inside GB 2312; lead bytes without a fitting tail
	big5Lead       int // pairs whose lead byte is a common one of Big5
}

func survey(body []byte) bodySurvey {
	var s bodySurvey
	for i := 0; i+1 < len(body); {
		lead, tail := body[i], body[i+1]
		if lead < 0x81 {
			i++
			continue
		}
		if tail >= '0' && tail <= '9' && i+3 < len(body) && body[i+2] >= 0x81 && body[i+3] >= '0' && body[i+3] <= '9' {
			s.pairs++ // four bytes of GB 18030
			s.gb2312++
			i += 4
			continue
		}
		if tail < 0x40 || tail == 0x7f || tail == 0xff || lead == 0xff {
			s.broken++
			i++
			continue
		}
		s.pairs++
		if tail < 0x7f {
			s.lowTail++
		}
		if lead >= 0xa1 && lead <= 0xf7 && tail >= 0xa1 {
			s.gb2312++
		}
		if lead >= 0xa1 && lead <= 0xc6 {
			s.big5Lead++
		}
		i += 2
	}
	return s
}

// chinese reports whether the non-ASCII bytes look like GB 2312.
func (s bodySurvey) chinese() bool {
	return s.pairs >= 4 && s.gb2312*10 >= s.pairs*8 && s.broken*20 <= s.pairs
}

// big5 reports whether they look like Big5. Unlike GB 2312 it has half of its second bytes in ASCII
// and its common characters below 0xC7.
func (s bodySurvey) big5() bool {
	return s.pairs >= 8 && s.lowTail*100 >= s.pairs*15 && s.big5Lead*10 >= s.pairs*8 && s.broken*20 <= s.pairs
}
