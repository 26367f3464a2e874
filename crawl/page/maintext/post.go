package maintext

// byPost is the text of one of the posts of a page: that which the title names, or else
// the first. Where there are none, or the text stands before them, it is what mass finds.
func (x *Extractor) byPost() Result {
	if x.Posts.Kind == NoPosts || x.Posts.One < 0 {
		return x.byMass()
	}
	return x.render(x.Posts.One, -1)
}
