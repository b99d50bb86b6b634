package frontmatter

import "strings"

// nearest gives the allowed key that was most likely meant: the one with the fewest letters to insert, delete or
// replace, if fewer than half of its letters; else "".
func nearest(name string) string {
	if len(name) > 40 {
		return ""
	}
	best, distance := "", 0
	for _, key := range keys {
		d := editDistance(strings.ToLower(name), key)
		if 2*d < len(key) && (best == "" || d < distance) {
			best, distance = key, d
		}
	}
	return best
}

// editDistance is Levenshtein's, over bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j]+1, row[j+1]+1, replaced)
		}
	}
	return row[len(b)]
}
