package tabnews

import (
	"slices"

	"postonce/publication"
)

// refusal is one of TabNews' refusals of a write. An answer is it when status, name, error_location_code, key and,
// where it has nothing else to know it by, message agree.
type refusal struct {
	status   int
	name     string
	code     string   // error_location_code; empty: it has none
	keys     []string // one of them; empty: it has none
	typed    bool     // it has a type, the Joi rule
	messages []string // one of them; empty: any
	proof    string   // why this request did nothing
}

// What the proofs share: TabNews API, "Order of checks". What is refused before the transaction begins has stored
// nothing; what is refused within it is rolled back; no 4xx of TabNews' own comes after the commit.
const (
	beforeTransaction = "refused before the transaction begins"
	rolledBack        = "refused within the transaction, which is rolled back"
	bySchema          = "refused by the schema, before anything is written"
)

// The closed lists of answers that prove that this request did nothing; what an earlier one did is for the caller to
// think of. Not on them, on purpose: every 5xx, also 503 INFRA:DATABASE:QUERY (measured before the commit only, but a
// platform's 5xx is one byte away from it); 405, and for a create 404, which it does not know; the plain texts
// "Invalid JSON" (400) and "Body exceeded 1mb limit" (413), which anybody in between may write.
var (
	createRefusals = append([]refusal{
		// The schema is checked before anything is looked up; a blank title alone is found in the transaction, before the
		// insert. session_id: a cookie of the wrong form. object: no JSON object.
		{400, "ValidationError", "MODEL:VALIDATOR:FINAL_SCHEMA", []string{"title", "body", "slug", "source_url", "status", "parent_id", "type", "object", "session_id"}, true, nil, bySchema},
		// A status that no creation may have is looked for first thing in the transaction.
		{400, "ValidationError", "MODEL:CONTENT:VALIDATE_CREATE_SCHEMA:INVALID_STATUS", []string{"status"}, true, nil, rolledBack},
		// The parent is looked up before the insert.
		{400, "ValidationError", "MODEL:CONTENT:CHECK_IF_PARENT_ID_EXISTS:NOT_FOUND", []string{"parent_id"}, false, nil, rolledBack},
		// A user who may not create roots, or comments.
		{403, "ForbiddenError", "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND", nil, false, nil, beforeTransaction},
		{403, "ForbiddenError", "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_CHILD:FEATURE_NOT_FOUND", nil, false, nil, beforeTransaction},
		// No 422: TabNews asks for TabCash when an advertisement is created, and none is ever sent from here.
		// The firewall refuses this one, and hides earlier ones. It has no code, so its words must agree: an edge's 429
		// proves nothing.
		{429, "TooManyRequestsError", "", nil, false, []string{
			"Identificamos a criação de muitas publicações em um curto período, então publicações criadas recentemente podem ter sido removidas.",
			"Identificamos a criação de muitos comentários em um curto período, então comentários criados recentemente podem ter sido removidos.",
		}, beforeTransaction},
	}, anyWritesRefusals...)

	// updateRefusals has no 422 and no 429: TabNews asks neither for TabCash nor the firewall when a content is changed
	// (TabNews API, "The firewall"), so neither can be its word on a PATCH.
	updateRefusals = append([]refusal{
		// The schema is checked before the content is looked up: the address in the path first (username, slug), then the
		// body; a blank title alone is found in the transaction, before the update. object: no JSON object, or none of the
		// fields that can be changed.
		{400, "ValidationError", "MODEL:VALIDATOR:FINAL_SCHEMA", []string{"title", "body", "slug", "source_url", "status", "object", "session_id", "username"}, true, nil, bySchema},
		// No draft and no published content is at the address: the look-up comes before the transaction, and without a row
		// there is nothing to write to. The content may be deleted, hidden or renamed, by an earlier request of ours too.
		{404, "NotFoundError", "CONTROLLER:CONTENT:PATCH_HANDLER:SLUG_NOT_FOUND", []string{"slug"}, false, nil, beforeTransaction},
		// The content is somebody else's; who writes is compared with the row before the transaction.
		{403, "ForbiddenError", "CONTROLLER:CONTENTS:PATCH:USER_CANT_UPDATE_CONTENT_FROM_OTHER_USER", nil, false, nil, beforeTransaction},
		// A user who may not write roots, or comments, may not change them either. The check follows the one above.
		{403, "ForbiddenError", "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND", nil, false, nil, beforeTransaction},
		{403, "ForbiddenError", "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:TEXT_CHILD:FEATURE_NOT_FOUND", nil, false, nil, beforeTransaction},
		// A published content cannot become a draft again: found in the transaction, before the update.
		{400, "ValidationError", "MODEL:CONTENT:CHECK_STATUS_CHANGE:STATUS_ALREADY_PUBLISHED", []string{"status"}, false, nil, rolledBack},
		// The status firewall is nobody's to give: found in the transaction, before the update.
		{400, "ValidationError", "MODEL:CONTENT:VALIDATE_UPDATE_SCHEMA:INVALID_STATUS", []string{"status"}, true, nil, rolledBack},
	}, anyWritesRefusals...)

	// anyWritesRefusals mean the same for a create and an update.
	anyWritesRefusals = []refusal{
		// A root without title, or whose title would go, is found before the row is written.
		{400, "ValidationError", "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE", []string{"title"}, false, nil, rolledBack},
		// The slug is occupied by another content of the account's.
		{400, "ValidationError", "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS", []string{"slug"}, false, nil, rolledBack},
		// No session: the first check after the body was parsed. It has no code, so its words must agree.
		{401, "UnauthorizedError", "", nil, false, []string{"Usuário não possui sessão ativa."}, beforeTransaction},
		// Anonymous, or a user who lacks create:content or update:content.
		{403, "ForbiddenError", "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND", nil, false, nil, beforeTransaction},
		// A user who may not use a session.
		{403, "ForbiddenError", "MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION", nil, false, nil, beforeTransaction},
		// A badly rated author publishes, a draft too. The row has been written, and is rolled back with the transaction.
		{403, "ForbiddenError", "MODEL:CONTENT:CREDIT_OR_DEBIT_TABCOINS:NEGATIVE_USER_EARNINGS", nil, false, nil, rolledBack},
	}
)

// proofOf says why TabNews' error, being one of the list, proves that the request did nothing; empty: it does not.
func proofOf(list []refusal, e *publication.APIError) string {
	for _, r := range list {
		if r.is(e) {
			return r.proof
		}
	}
	return ""
}

func (r refusal) is(e *publication.APIError) bool {
	return r.status == e.StatusCode && r.name == e.Name && r.code == e.ErrorLocationCode &&
		(slices.Contains(r.keys, e.Key) || len(r.keys) == 0 && e.Key == "") &&
		r.typed == (e.Type != "") &&
		(len(r.messages) == 0 || slices.Contains(r.messages, e.Message))
}
