package tabnews

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"postonce/publication"
)

const firewallWords = "Identificamos a criação de muitas publicações em um curto período, então publicações criadas recentemente podem ter sido removidas."

// listedRefusal is a refusal as TabNews writes it.
type listedRefusal struct {
	status                int
	name, message         string
	code, key, constraint string
}

func (r listedRefusal) json() []byte {
	return apiErrorJSON(r.status, r.name, r.message, optional("error_location_code", r.code, "key", r.key, "type", r.constraint)...)
}

// The refusals of both writes, of a create alone (TabNews API, POST /api/v1/contents) and of an update alone
// (PATCH /api/v1/contents/{user}/{slug}).
var (
	refusalsOfBoth = []listedRefusal{
		{400, "ValidationError", `"title" não pode estar em branco.`, "MODEL:VALIDATOR:FINAL_SCHEMA", "title", "string.empty"},
		{400, "ValidationError", "Markdown deve conter algum texto.", "MODEL:VALIDATOR:FINAL_SCHEMA", "body", "markdown.empty"},
		{400, "ValidationError", `"slug" está no formato errado.`, "MODEL:VALIDATOR:FINAL_SCHEMA", "slug", "string.pattern.base"},
		{400, "ValidationError", `"session_id" deve possuir 96 caracteres.`, "MODEL:VALIDATOR:FINAL_SCHEMA", "session_id", "string.length"},
		{400, "ValidationError", `"title" é um campo obrigatório.`, "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE", "title", ""},
		{400, "ValidationError", "O conteúdo enviado parece ser duplicado.", "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS", "slug", ""},
		{401, "UnauthorizedError", "Usuário não possui sessão ativa.", "", "", ""},
		{403, "ForbiddenError", "Usuário não pode executar esta operação.", "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND", "", ""},
		{403, "ForbiddenError", "Você não possui permissão para executar esta ação.", "MODEL:AUTHENTICATION:INJECT_AUTHENTICATED_USER:USER_CANT_READ_SESSION", "", ""},
		{403, "ForbiddenError", "Não é possível publicar porque há outras publicações mal avaliadas que ainda não foram excluídas.", "MODEL:CONTENT:CREDIT_OR_DEBIT_TABCOINS:NEGATIVE_USER_EARNINGS", "", ""},
	}
	refusalsOfCreate = []listedRefusal{
		{400, "ValidationError", `"parent_id" deve possuir um token UUID na versão 4.`, "MODEL:VALIDATOR:FINAL_SCHEMA", "parent_id", "string.guid"},
		{400, "ValidationError", "Você está tentando criar um comentário em um conteúdo que não existe.", "MODEL:CONTENT:CHECK_IF_PARENT_ID_EXISTS:NOT_FOUND", "parent_id", ""},
		{400, "ValidationError", `Não é possível criar um novo conteúdo diretamente com status "deleted".`, "MODEL:CONTENT:VALIDATE_CREATE_SCHEMA:INVALID_STATUS", "status", "any.only"},
		{403, "ForbiddenError", "Você não possui permissão para criar conteúdos na raiz do site.", "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND", "", ""},
		{403, "ForbiddenError", "Você não possui permissão para criar conteúdos dentro de outros conteúdos.", "CONTROLLER:CONTENT:POST_HANDLER:CREATE:CONTENT:TEXT_CHILD:FEATURE_NOT_FOUND", "", ""},
		{429, "TooManyRequestsError", firewallWords, "", "", ""},
	}
	refusalsOfUpdate = []listedRefusal{
		{400, "ValidationError", "Objeto enviado deve ter no mínimo uma chave.", "MODEL:VALIDATOR:FINAL_SCHEMA", "object", "object.min"},
		{400, "ValidationError", "Não é possível alterar para rascunho um conteúdo já publicado.", "MODEL:CONTENT:CHECK_STATUS_CHANGE:STATUS_ALREADY_PUBLISHED", "status", ""},
		{400, "ValidationError", `Não é possível atualizar um conteúdo para o status "firewall".`, "MODEL:CONTENT:VALIDATE_UPDATE_SCHEMA:INVALID_STATUS", "status", "any.only"},
		{403, "ForbiddenError", "Você não possui permissão para atualizar o conteúdo de outro usuário.", "CONTROLLER:CONTENTS:PATCH:USER_CANT_UPDATE_CONTENT_FROM_OTHER_USER", "", ""},
		{403, "ForbiddenError", "Você não possui permissão para editar conteúdos na raiz do site.", "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:TEXT_ROOT:FEATURE_NOT_FOUND", "", ""},
		{403, "ForbiddenError", "Você não possui permissão para editar conteúdos dentro de outros conteúdos.", "CONTROLLER:CONTENT:PATCH_HANDLER:CREATE:CONTENT:TEXT_CHILD:FEATURE_NOT_FOUND", "", ""},
		{404, "NotFoundError", "O conteúdo informado não foi encontrado no sistema.", "CONTROLLER:CONTENT:PATCH_HANDLER:SLUG_NOT_FOUND", "slug", ""},
	}
)

// writes are a create and an update with the refusals of each, and those that only the other knows.
func writes() map[string]struct {
	asked            request
	listed, unlisted []listedRefusal
} {
	return map[string]struct {
		asked            request
		listed, unlisted []listedRefusal
	}{
		"create": {written(), slices.Concat(refusalsOfBoth, refusalsOfCreate), slices.DeleteFunc(slices.Clone(refusalsOfUpdate), func(r listedRefusal) bool { return r.key == "object" })},
		"update": {leftWhole(revision(sampleUpdate(), "autora")), slices.Concat(refusalsOfBoth, refusalsOfUpdate), refusalsOfCreate},
	}
}

func optional(fields ...string) []string {
	var set []string
	for i := 0; i < len(fields); i += 2 {
		if fields[i+1] != "" {
			set = append(set, fields[i], fields[i+1])
		}
	}
	return set
}

func TestEveryListedRefusalIsRejected(t *testing.T) {
	for name, w := range writes() {
		for _, r := range w.listed {
			v := classify(w.asked, answered(r.status, r.json()))
			mustBe(t, v, publication.OutcomeRejected, r.message)
			if v.Evidence.APIError == nil || v.Evidence.APIError.ErrorLocationCode != r.code {
				t.Errorf("%s: %s: the evidence lost TabNews' error: %v", name, r.message, v.Evidence.APIError)
			}
		}
	}
}

// TestARefusalOfTheOtherWriteIsUnknown: TabNews does not say it to this one, so it is somebody else's word.
func TestARefusalOfTheOtherWriteIsUnknown(t *testing.T) {
	for name, w := range writes() {
		for _, r := range w.unlisted {
			if v := classify(w.asked, answered(r.status, r.json())); v.Outcome != publication.OutcomeUnknown {
				t.Errorf("%s: %d %s is %s", name, r.status, r.message, v.Outcome)
			}
		}
	}
}

// TestARefusalThatDiffersInOneThingIsUnknown takes every listed refusal and spoils one part of its proof.
func TestARefusalThatDiffersInOneThingIsUnknown(t *testing.T) {
	spoil := map[string]func(answer, map[string]any) (answer, map[string]any){
		"another status on the line": func(a answer, e map[string]any) (answer, map[string]any) { a.status = 418; return a, e },
		"a 5xx": func(a answer, e map[string]any) (answer, map[string]any) {
			a.status, e["status_code"] = 503, 503
			return a, e
		},
		"another name": func(a answer, e map[string]any) (answer, map[string]any) { e["name"] = "OtherError"; return a, e },
		"another code": func(a answer, e map[string]any) (answer, map[string]any) {
			e["error_location_code"] = "X:Y"
			return a, e
		},
		"another key":      func(a answer, e map[string]any) (answer, map[string]any) { e["key"] = "other"; return a, e },
		"a field more":     func(a answer, e map[string]any) (answer, map[string]any) { e["stack"] = "…"; return a, e },
		"no action":        func(a answer, e map[string]any) (answer, map[string]any) { delete(e, "action"); return a, e },
		"no message":       func(a answer, e map[string]any) (answer, map[string]any) { delete(e, "message"); return a, e },
		"no error_id":      func(a answer, e map[string]any) (answer, map[string]any) { delete(e, "error_id"); return a, e },
		"error_id no UUID": func(a answer, e map[string]any) (answer, map[string]any) { e["error_id"] = "1"; return a, e },
		"no request_id":    func(a answer, e map[string]any) (answer, map[string]any) { delete(e, "request_id"); return a, e },
		"null action":      func(a answer, e map[string]any) (answer, map[string]any) { e["action"] = nil; return a, e },
		"status as text":   func(a answer, e map[string]any) (answer, map[string]any) { e["status_code"] = "400"; return a, e },
		"text/html": func(a answer, e map[string]any) (answer, map[string]any) {
			a.header = http.Header{"Content-Type": {"text/html"}}
			return a, e
		},
		"no content type":   func(a answer, e map[string]any) (answer, map[string]any) { a.header = nil; return a, e },
		"a body that broke": func(a answer, e map[string]any) (answer, map[string]any) { a.bodyErr = errSendBy; return a, e },
	}
	for name, change := range spoil {
		for _, w := range writes() {
			for _, r := range w.listed {
				var fields map[string]any
				json.Unmarshal(r.json(), &fields)
				seen, fields := change(answered(r.status, nil), fields)
				seen.body, _ = json.Marshal(fields)
				if v := classify(w.asked, seen); v.Outcome != publication.OutcomeUnknown {
					t.Errorf("%s of %s: %d %s is %s", name, w.asked.method, r.status, r.message, v.Outcome)
				}
			}
		}
	}
}

func TestRefusalsWithoutACodeAreKnownByTheirWords(t *testing.T) {
	for _, body := range [][]byte{
		apiErrorJSON(401, "UnauthorizedError", "Dados não conferem."),
		apiErrorJSON(429, "TooManyRequestsError", "Você realizou muitas requisições recentemente."),
		apiErrorJSON(400, "ValidationError", "Um erro de validação ocorreu."),
		apiErrorJSON(400, "ValidationError", "x", "error_location_code", "MODEL:VALIDATOR:FINAL_SCHEMA", "key", "title"),
		apiErrorJSON(404, "NotFoundError", "O conteúdo informado não foi encontrado no sistema.", "error_location_code", "X", "key", "slug"),
		apiErrorJSON(405, "MethodNotAllowedError", "Método não permitido."),
	} {
		var e publication.APIError
		json.Unmarshal(body, &e)
		mustBe(t, classify(written(), answered(e.StatusCode, body)), publication.OutcomeUnknown, "does not prove that nothing was created")
		mustBe(t, classify(leftWhole(revision(sampleUpdate(), "autora")), answered(e.StatusCode, body)), publication.OutcomeUnknown, "does not prove that nothing was changed")
	}
}

func TestEveryRefusalSaysWhyItIsProof(t *testing.T) {
	for _, r := range slices.Concat(createRefusals, updateRefusals) {
		if r.proof == "" || r.status < 400 || r.status > 499 {
			t.Errorf("%+v", r)
		}
		if r.code == "" && len(r.messages) == 0 {
			t.Errorf("%d %s would be taken for any text", r.status, r.name)
		}
	}
}
