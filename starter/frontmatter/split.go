package frontmatter

import "bytes"

const minimal = `begin the file with three lines: "---", "title: Your title", "---"`

// split parts the text at the lines "---": front is the YAML between them, which begins on line 2; body is what follows
// the second, which begins on bodyLine.
func split(text []byte) (front, body []byte, bodyLine int, problem *Error) {
	first, rest := cutLine(text)
	if !isFence(first) {
		return nil, nil, 0, &Error{Line: 1, Field: "front matter", Rule: "is missing", Remedy: minimal}
	}
	bodyLine = 2
	for left := rest; len(left) > 0; {
		line, after := cutLine(left)
		bodyLine++
		if isFence(line) {
			return rest[:len(rest)-len(left)], after, bodyLine, nil
		}
		left = after
	}
	return nil, nil, 0, &Error{Line: 1, Field: "front matter", Rule: "is not closed", Remedy: `write a line "---" after its last key`}
}

// cutLine gives the first line, its line feed included, and the rest.
func cutLine(text []byte) (line, rest []byte) {
	if at := bytes.IndexByte(text, '\n'); at >= 0 {
		return text[:at+1], text[at+1:]
	}
	return text, nil
}

// isFence: white space after the hyphens cannot be seen, so it does not count.
func isFence(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "---" }
