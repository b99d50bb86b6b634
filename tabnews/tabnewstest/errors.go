package tabnewstest

import "net/http"

// refusal is an error as TabNews' own JSON tells it (TabNews API, section 1, Error JSON).
type refusal struct {
	name    string
	message string
	action  string
	status  int
	code    string // error_location_code; absent when empty, as key and kind are
	key     string
	kind    string // "type" in the JSON: the schema rule that was broken
}

// fields gives the error's JSON in TabNews' order of fields.
func (r *refusal) fields(errorID, requestID string) object {
	o := object{
		{"name", r.name}, {"message", r.message}, {"action", r.action}, {"status_code", r.status},
		{"error_id", errorID}, {"request_id", requestID},
	}
	for _, f := range []struct{ name, value string }{{"error_location_code", r.code}, {"key", r.key}, {"type", r.kind}} {
		if f.value != "" {
			o = append(o, field{f.name, f.value})
		}
	}
	return o
}

const adjust = "Ajuste os dados enviados e tente novamente."

// invalid is a field that breaks the schema.
func invalid(key, kind, message string) *refusal {
	return &refusal{
		name: "ValidationError", message: message, action: adjust, status: http.StatusBadRequest,
		code: "MODEL:VALIDATOR:FINAL_SCHEMA", key: key, kind: kind,
	}
}

// invalidState is a field that is well formed and that the content's rules refuse.
func invalidState(key, code, message string) *refusal {
	return &refusal{
		name: "ValidationError", message: message, action: adjust, status: http.StatusBadRequest, code: code, key: key,
	}
}

func forbidden(code, message, action string) *refusal {
	return &refusal{name: "ForbiddenError", message: message, action: action, status: http.StatusForbidden, code: code}
}

func notFound(code, key, message, action string) *refusal {
	return &refusal{
		name: "NotFoundError", message: message, action: action, status: http.StatusNotFound, code: code, key: key,
	}
}

func unauthorized(code, message, action string) *refusal {
	return &refusal{
		name: "UnauthorizedError", message: message, action: action, status: http.StatusUnauthorized, code: code,
	}
}

func noSession() *refusal {
	return unauthorized("", "Usuário não possui sessão ativa.", "Verifique se este usuário está logado.")
}

func cannotRequest(feature string) *refusal {
	return forbidden("MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND", "Usuário não pode executar esta operação.",
		`Verifique se este usuário possui a feature "`+feature+`".`)
}

// slugNotFound is the 404 of one content; place says which handler speaks.
func slugNotFound(place string) *refusal {
	return notFound("CONTROLLER:CONTENT:"+place+":SLUG_NOT_FOUND", "slug",
		"O conteúdo informado não foi encontrado no sistema.", `Verifique se o "slug" está digitado corretamente.`)
}

func usernameNotFound() *refusal {
	return notFound("MODEL:USER:FIND_ONE_BY_USERNAME:NOT_FOUND", "username",
		`O "username" informado não foi encontrado no sistema.`, `Verifique se o "username" está digitado corretamente.`)
}

func alreadyExists() *refusal {
	r := invalidState("slug", "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS",
		"O conteúdo enviado parece ser duplicado.")
	r.action = `Utilize um "title" ou "slug" com começo diferente.`
	return r
}

func methodNotAllowed(method, path string) *refusal {
	return &refusal{
		name: "MethodNotAllowedError", message: `Método "` + method + `" não permitido para "` + path + `".`,
		action: "Utilize um método HTTP válido para este recurso.", status: http.StatusMethodNotAllowed,
	}
}

// internalError is TabNews' bare 500, or with status 503 its word for a database that fails. A bare 500 says nothing of
// whether the row was stored (TabNews API, section 8).
func internalError(status int, code string) *refusal {
	return &refusal{
		name: "InternalServerError", message: "Um erro interno não esperado aconteceu.",
		action: "Informe ao suporte o valor encontrado no campo 'error_id'.", status: status, code: code,
	}
}

func databaseFailed() *refusal {
	return internalError(http.StatusServiceUnavailable, "INFRA:DATABASE:QUERY")
}
