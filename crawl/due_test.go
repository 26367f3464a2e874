package crawl

// Due lists the URLs of the aggregation pages that a harvest would visit now.
func (e *Engine) Due() ([]string, error) {
	ids, err := e.due(e.Aggregations())
	if err != nil {
		return nil, err
	}
	var list []string
	for _, id := range ids {
		u, err := e.ws.URL(id)
		if err != nil {
			return nil, err
		}
		list = append(list, u.URL)
	}
	return list, nil
}
