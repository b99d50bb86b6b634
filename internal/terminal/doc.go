// Package terminal puts publications before people: it draws snapshots, candidates and lists, and asks questions. It
// may import publication and the terminal libraries alone; what to do with an answer is the command's.
//
// Colours are dropped where the output is no terminal, or NO_COLOR is set. Everything that came from outside (titles,
// bodies, answers of servers, reasons of people) passes through Plain first, so that no text can move the cursor,
// hide a line or look like an answer of ours.
package terminal
