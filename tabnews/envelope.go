package tabnews

import (
	"encoding/json"
	"mime"
	"net/http"
	"slices"

	"postonce/publication"
)

// The fields of TabNews' error JSON (TabNews API, "Error JSON"): the first six are always there.
var (
	alwaysInEnvelope = []string{"name", "message", "action", "status_code", "error_id", "request_id"}
	maybeInEnvelope  = []string{"error_location_code", "key", "type"}
)

const (
	headerContentType = "Content-Type"
	jsonMediaType     = "application/json"
)

// parseAPIError gives TabNews' own error, or nil when the answer is not exactly of TabNews' form: JSON by its content
// type, with all the fields and no others, whose status_code is the answer's own. Pages of edges and proxies fail here.
func parseAPIError(status int, header http.Header, body []byte) *publication.APIError {
	media, _, err := mime.ParseMediaType(header.Get(headerContentType))
	if err != nil || media != jsonMediaType {
		return nil
	}
	object, err := decodeObject(body)
	if err != nil || !hasEnvelope(object) {
		return nil
	}
	var e publication.APIError
	if err := json.Unmarshal(body, &e); err != nil {
		return nil
	}
	if e.StatusCode != status || e.Name == "" || e.Message == "" || !uuidPattern.MatchString(e.ErrorID) || e.RequestID == "" {
		return nil
	}
	return &e
}

func hasEnvelope(object map[string]json.RawMessage) bool {
	for _, name := range alwaysInEnvelope {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for name, value := range object {
		known := slices.Contains(alwaysInEnvelope, name) || slices.Contains(maybeInEnvelope, name)
		if !known || string(value) == "null" {
			return false
		}
	}
	return true
}
