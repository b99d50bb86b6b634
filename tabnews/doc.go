// Package tabnews is the client of the TabNews API (https://www.tabnews.com.br/api/v1): it logs in, reads contents, and
// creates and changes them with one request each. It knows no ledger and no Temporal, and imports publication and the
// standard library alone.
//
// Create and Update are the heart, and go one way, send. One call is at most one request on the wire, and its Verdict is
// never more than what was seen: accepted and rejected need proof in the answer, not_sent needs proof that no byte left,
// and all the rest is unknown. The proofs are in classify, one pure function, and in the lists of TabNews' own refusals.
//
// Reads may be repeated by the caller as often as it likes. Every kind of bad answer has its own error type: APIError
// of the package publication is TabNews' own word, NotFoundError its 404, SessionError says how to get a session that
// works, EdgeError is an answer that somebody in front of TabNews gave, AnswerError one that cannot be used, and
// TransportError says that there was none.
//
// The session and the password are sent to TabNews and shown nowhere: texts that leave the package went through a
// redactor.
package tabnews
