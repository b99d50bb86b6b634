package tabnewstest_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"postonce/tabnews/tabnewstest"
)

const schemaCode = "MODEL:VALIDATOR:FINAL_SCHEMA"

// The refusals of POST contents that the schema makes, as the TabNews API tells them in section 3.
func TestCreationIsRefusedBySchema(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	base := func(change object) object {
		o := object{"title": "T", "slug": "s", "body": good, "status": "draft"}
		for k, v := range change {
			if v == "ABSENT" {
				delete(o, k)
			} else {
				o[k] = v
			}
		}
		return o
	}
	oneOf := `"status" deve possuir um dos seguintes valores: "draft", "published", "deleted", "firewall".`
	url := `"source_url" deve possuir uma URL válida e utilizando os protocolos HTTP ou HTTPS.`
	visible := `"body" deve começar com caracteres visíveis.`
	for _, row := range []struct {
		change             object
		key, kind, message string
	}{
		{object{"body": "ABSENT"}, "body", "any.required", `"body" é um campo obrigatório.`},
		{object{"body": nil}, "body", "string.base", `"body" deve ser do tipo String.`},
		{object{"body": 1}, "body", "string.base", `"body" deve ser do tipo String.`},
		{object{"body": ""}, "body", "string.empty", `"body" não pode estar em branco.`},
		{object{"body": "\x00"}, "body", "string.empty", `"body" não pode estar em branco.`},
		{object{"body": " texto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\ntexto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\x00 texto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\uFEFFtexto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\u200Btexto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\u2800texto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\u0378texto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": "\uE000texto"}, "body", "string.pattern.invert.base", visible},
		{object{"body": strings.Repeat("a", 20001)}, "body", "string.max", `"body" deve conter no máximo 20000 caracteres.`},
		{object{"body": strings.Repeat("a", 20000) + "\n"}, "body", "string.max", `"body" deve conter no máximo 20000 caracteres.`},
		{object{"body": strings.Repeat("😀", 10001)}, "body", "string.max", `"body" deve conter no máximo 20000 caracteres.`},
		{object{"body": "---"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "#"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "<br><p></p>"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "![](https://example.com/a.png)"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "```\n```"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "<!-- só um comentário -->"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"body": "[//]: # (marca)"}, "body", "markdown.empty", "Markdown deve conter algum texto."},
		{object{"title": ""}, "title", "string.empty", `"title" não pode estar em branco.`},
		{object{"title": "  "}, "title", "string.empty", `"title" não pode estar em branco.`},
		{object{"title": "\u200B\u200B"}, "title", "string.empty", `"title" não pode estar em branco.`},
		{object{"title": 12}, "title", "string.base", `"title" deve ser do tipo String.`},
		{object{"title": strings.Repeat("a", 256)}, "title", "string.max", `"title" deve conter no máximo 255 caracteres.`},
		{object{"title": strings.Repeat("😀", 128)}, "title", "string.max", `"title" deve conter no máximo 255 caracteres.`},
		{object{"title": strings.Repeat(" ", 254) + "abc"}, "title", "string.max", `"title" deve conter no máximo 255 caracteres.`},
		{object{"slug": nil}, "slug", "string.base", `"slug" deve ser do tipo String.`},
		{object{"slug": 7}, "slug", "string.base", `"slug" deve ser do tipo String.`},
		{object{"slug": ""}, "slug", "string.empty", `"slug" não pode estar em branco.`},
		{object{"slug": "  "}, "slug", "string.empty", `"slug" não pode estar em branco.`},
		{object{"slug": "Abc"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"slug": "a--b"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"slug": "-a"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"slug": "---"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"slug": "a.b"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"slug": "ção"}, "slug", "string.pattern.base", `"slug" está no formato errado.`},
		{object{"status": nil}, "status", "any.only", oneOf},
		{object{"status": "xx"}, "status", "any.only", oneOf},
		{object{"status": "DRAFT"}, "status", "any.only", oneOf},
		{object{"type": "pitch"}, "type", "any.only", `"type" deve possuir um dos seguintes valores: "content", "ad".`},
		{object{"source_url": ""}, "source_url", "string.empty", `"source_url" não pode estar em branco.`},
		{object{"source_url": "http://localhost:3000/a"}, "source_url", "string.pattern.base", url},
		{object{"source_url": "ftp://example.com"}, "source_url", "string.pattern.base", url},
		{object{"source_url": "https://EXAMPLE.com"}, "source_url", "string.pattern.base", url},
		{object{"parent_id": "abc"}, "parent_id", "string.guid", `"parent_id" deve possuir um token UUID na versão 4.`},
		{object{"parent_id": "11111111-1111-1111-8111-111111111111"}, "parent_id", "string.guid", `"parent_id" deve possuir um token UUID na versão 4.`},
	} {
		r := c.do("POST", "/api/v1/contents", base(row.change))
		want(t, r, 400, object{
			"name": "ValidationError", "message": row.message, "action": "Ajuste os dados enviados e tente novamente.",
			"status_code": 400, "error_location_code": schemaCode, "key": row.key, "type": row.kind,
		})
		if t.Failed() {
			t.Fatalf("with %v", row.change)
		}
	}
	if n := len(s.Contents()); n != 0 {
		t.Errorf("%d rows stored, want none", n)
	}
}

func TestCreationIsRefusedByTheTransaction(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	for i, row := range []struct {
		fields object
		want   object
		typed  bool
	}{
		{object{"body": good}, object{"key": "title", "message": `"title" é um campo obrigatório.`,
			"error_location_code": "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE"}, false},
		{object{"body": good, "title": nil}, object{"key": "title",
			"error_location_code": "MODEL:CONTENT:CHECK_ROOT_CONTENT_TITLE:MISSING_TITLE"}, false},
		{article("a", "deleted"), object{"key": "status", "type": "any.only",
			"message":             `Não é possível criar um novo conteúdo diretamente com status "deleted".`,
			"error_location_code": "MODEL:CONTENT:VALIDATE_CREATE_SCHEMA:INVALID_STATUS"}, true},
		{article("a", "firewall"), object{"key": "status",
			"message": `Não é possível criar um novo conteúdo diretamente com status "firewall".`}, true},
		{comment("0f8fad5b-d9cb-469f-a165-70867728950e", "c"), object{"key": "parent_id",
			"message":             "Você está tentando criar um comentário em um conteúdo que não existe.",
			"error_location_code": "MODEL:CONTENT:CHECK_IF_PARENT_ID_EXISTS:NOT_FOUND"}, false},
	} {
		r := c.at(fmt.Sprintf("10.0.0.%d", i+1)).do("POST", "/api/v1/contents", row.fields)
		want(t, r, 400, row.want)
		if _, typed := r.json["type"]; typed != row.typed {
			t.Errorf("%v: type there is %v, want %v", row.fields, typed, row.typed)
		}
	}
	if n := len(s.Contents()); n != 0 {
		t.Errorf("%d rows stored, want none", n)
	}
}

func TestParentInUpperCaseIsNotFound(t *testing.T) {
	c := login(t, start(t), "autora")
	id := c.create(article("raiz", "published")).text("id")
	r := c.do("POST", "/api/v1/contents", comment(strings.ToUpper(id), "c"))
	want(t, r, 400, object{"key": "parent_id"})
}

// What TabNews changes in silence (TabNews API, section 3).
func TestSilentChanges(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	english := "Inglaterra 🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F"
	for i, row := range []struct{ field, sent, stored string }{
		{"title", "  Dois espaços  ", "Dois espaços"},
		{"title", "\u00A0Nbsp\u00A0", "Nbsp"},
		{"title", "\uFEFFBom\u200B\u00AD", "Bom"},
		{"title", "\u3164Hangul\uFFA0\u115F\u1160", "Hangul"},
		{"title", "Cgj\u034F\u17B4\u17B5\u2800", "Cgj"},
		{"title", "Nu\x00lo", "Nulo"},
		{"title", "Um\r\nDois", "Um\r\nDois"},
		{"title", "so\u00ADft Zero\u200BWidth", "so\u00ADft Zero\u200BWidth"},
		{"title", "Ac\u0327a\u0303o", "Ac\u0327a\u0303o"},
		{"title", "Coração ❤️", "Coração ❤️"},
		{"title", english, "Inglaterra 🏴"},
		{"title", "Família 👨‍👩‍👧", "Família 👨‍👩‍👧"},
		{"title", strings.Repeat("😀", 127), strings.Repeat("😀", 127)},
		{"body", "texto\n\n", "texto"},
		{"body", "texto\r\n \u200B\uE000", "texto"},
		{"body", "\x00te\x00xto", "texto"},
		{"body", "um\r\ndois\rtres  \n\tquatro\fb", "um\r\ndois\rtres  \n\tquatro\fb"},
		{"body", "<script>alert(1)</script> texto <!-- marca -->", "<script>alert(1)</script> texto <!-- marca -->"},
		{"body", "\u0301acento", "\u0301acento"},
		{"body", english, "Inglaterra 🏴"},
		{"body", "```js\nlet a = 1;\n```", "```js\nlet a = 1;\n```"},
		{"body", strings.Repeat("😀", 10000), strings.Repeat("😀", 10000)},
		{"source_url", " https://example.com/a?b=c#d\x00 ", "https://example.com/a?b=c#d"},
		{"status", " published ", "published"},
		{"slug", " um-slug ", "um-slug"},
		{"slug", "outro--", "outro"},
		{"slug", strings.Repeat("b", 200), strings.Repeat("b", 160)},
		{"slug", strings.Repeat("d", 159) + "-e", strings.Repeat("d", 159)},
	} {
		fields := object{"title": "T", "slug": fmt.Sprintf("s-%d", i), "body": good, row.field: row.sent}
		r := c.at(fmt.Sprintf("10.0.1.%d", i+1)).create(fields)
		if got := r.json[row.field]; got != row.stored {
			t.Errorf("%s %q became %q, want %q", row.field, row.sent, got, row.stored)
		}
	}
}

func TestInvalidUTF8BecomesReplacementCharacters(t *testing.T) {
	c := login(t, start(t), "autora")
	r := c.do("POST", "/api/v1/contents", "\xEF\xBB\xBF{\"title\":\"a\xE2\x82b\xFFc\\ud800d\",\"slug\":\"u\",\"body\":\"texto\"}")
	want(t, r, 201, object{"title": "a\uFFFDb\uFFFDc\uFFFDd"})
}

func TestUnknownFieldsAreDropped(t *testing.T) {
	c := login(t, start(t), "autora")
	r := c.create(object{"title": "T", "slug": "s", "body": good, "id": "meu", "owner_id": "x", "published_at": "2020-01-01",
		"created_at": "2020-01-01", "tabcoins": 99, "campo": object{"a": 1}})
	want(t, r, 201, object{"status": "draft", "tabcoins": 0, "published_at": nil, "type": "content", "parent_id": nil})
	if r.text("id") == "meu" {
		t.Error("the client's id was kept")
	}
	order := "id owner_id parent_id slug title body status type source_url created_at updated_at published_at deleted_at " +
		"owner_username tabcoins tabcoins_credit tabcoins_debit"
	if got := fieldOrder(t, r.raw); got != order {
		t.Errorf("fields are %s, want %s", got, order)
	}
}

func TestErrorFieldsKeepTheirOrder(t *testing.T) {
	c := login(t, start(t), "autora")
	r := c.do("POST", "/api/v1/contents", object{}, "X-Vercel-Id", "gru1::abc")
	want(t, r, 400, object{"key": "body", "request_id": "gru1::abc"})
	order := "name message action status_code error_id request_id error_location_code key type"
	if got := fieldOrder(t, r.raw); got != order {
		t.Errorf("fields are %s, want %s", got, order)
	}
}

func TestWhatIsNoJSONObject(t *testing.T) {
	c := login(t, start(t), "autora")
	noObject := object{"key": "object", "type": "object.base", "message": `"body" enviado deve ser do tipo Object.`}
	for _, body := range []string{"[]", "null", `"a"`, "1"} {
		want(t, c.do("POST", "/api/v1/contents", body), 400, noObject)
	}
	want(t, c.do("POST", "/api/v1/contents", "{}", "Content-Type", "text/plain"), 400, noObject)
	want(t, c.do("POST", "/api/v1/contents", "{}", "Content-Type", ""), 400, noObject)
	want(t, c.do("POST", "/api/v1/contents", ""), 400, object{"key": "body", "type": "any.required"})
	form := c.do("POST", "/api/v1/contents", "title=Um&body=texto&slug=um", "Content-Type", "application/x-www-form-urlencoded")
	want(t, form, 201, object{"slug": "um", "title": "Um"})
	twice := c.do("POST", "/api/v1/contents", `{"title":"a","title":"b","slug":"dois","body":"texto"}`)
	want(t, twice, 201, object{"title": "b"})
}

func TestPlainTextErrors(t *testing.T) {
	c := login(t, start(t), "autora")
	bad := c.do("POST", "/api/v1/contents", `{"title":`)
	if bad.status != 400 || bad.raw != "Invalid JSON" || bad.header.Get("Content-Type") != "" || bad.header.Get("Cache-Control") != "" {
		t.Errorf("bad JSON: %d %q %v", bad.status, bad.raw, bad.header)
	}
	long := c.do("POST", "/api/v1/contents", object{"title": "x", "body": strings.Repeat("a", 1<<20)})
	if long.status != 413 || long.raw != "Body exceeded 1mb limit" {
		t.Errorf("over 1 MB: %d %q", long.status, long.raw)
	}
	page := c.do("GET", "/api/v1/nada", nil)
	if page.status != 404 || !strings.Contains(page.header.Get("Content-Type"), "text/html") {
		t.Errorf("unknown path: %d %v", page.status, page.header)
	}
}

// The order of checks decides what a client learns (TabNews API, section 1).
func TestOrderOfChecks(t *testing.T) {
	s := start(t)
	anyone := anonymous(t, s)
	bad, fine := object{"title": "x"}, article("a", "draft")
	want(t, anyone.do("POST", "/api/v1/contents", bad), 400, object{"key": "body"})
	want(t, anyone.do("POST", "/api/v1/contents", fine), 403, object{
		"name": "ForbiddenError", "message": "Usuário não pode executar esta operação.",
		"action":              `Verifique se este usuário possui a feature "create:content".`,
		"error_location_code": "MODEL:AUTHORIZATION:CAN_REQUEST:FEATURE_NOT_FOUND",
	})
	want(t, anyone.do("POST", "/api/v1/contents", fine, "Authorization", "Bearer "+strings.Repeat("a", 96)), 403, nil)
	want(t, anyone.do("POST", "/api/v1/contents", bad, "Cookie", "session_id=curto"), 400, object{"key": "session_id", "type": "string.length"})
	want(t, anyone.do("POST", "/api/v1/contents", bad, "Cookie", "session_id="+strings.Repeat("-", 96)), 400, object{"key": "session_id", "type": "string.alphanum"})
	gone := anyone.do("POST", "/api/v1/contents", bad, "Cookie", "session_id="+strings.Repeat("a", 96))
	want(t, gone, 401, object{"name": "UnauthorizedError", "message": "Usuário não possui sessão ativa."})
	if _, there := gone.json["error_location_code"]; there {
		t.Error("a 401 has an error_location_code")
	}
	if cookie := gone.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "session_id=invalid; Max-Age=-1;") {
		t.Errorf("Set-Cookie is %q", cookie)
	}
	want(t, anyone.do("POST", "/api/v1/contents", `{`, "Cookie", "session_id=curto"), 400, nil)
}

func TestTenConcurrentCreationsOfOneSlug(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	statuses := make(chan int, 10)
	var group sync.WaitGroup
	for range 10 {
		group.Go(func() { statuses <- c.do("POST", "/api/v1/contents", article("um", "published")).status })
	}
	group.Wait()
	close(statuses)
	count := map[int]int{}
	for status := range statuses {
		count[status]++
	}
	if count[201] != 1 || count[400] != 9 {
		t.Errorf("answers by status: %v, want one 201 and nine 400", count)
	}
	if n := len(s.Contents()); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

// A second creation of a slug waits for the first one's transaction (TabNews API, section 0).
func TestCreationWaitsForTheSlugInFlight(t *testing.T) {
	inside, leave := make(chan struct{}), make(chan struct{})
	var once sync.Once
	s := start(t, tabnewstest.WithPause(func(p tabnewstest.Pause) {
		if p == tabnewstest.PauseCommit {
			once.Do(func() { close(inside); <-leave })
		}
	}))
	c := login(t, s, "autora")
	results := make(chan result, 2)
	go func() { results <- c.do("POST", "/api/v1/contents", article("um", "draft")) }()
	<-inside
	go func() { results <- c.do("POST", "/api/v1/contents", article("um", "draft")) }()
	if err := s.WaitArrivals(soon(t), "POST", "/api/v1/contents", 2); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Contents()); n != 0 {
		t.Fatalf("%d rows before the commit", n)
	}
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 404, nil)
	close(leave)
	first, second := <-results, <-results
	if first.status+second.status != 201+400 {
		t.Errorf("answers %d and %d, want a 201 and a 400", first.status, second.status)
	}
}

func TestSlugIsUniquePerOwnerUnlessDeleted(t *testing.T) {
	s := start(t)
	autora, leitor := login(t, s, "autora"), login(t, s, "leitor").at("10.0.0.9")
	id := autora.create(article("um", "draft")).text("id")
	duplicate := object{"key": "slug", "message": "O conteúdo enviado parece ser duplicado.",
		"action":              `Utilize um "title" ou "slug" com começo diferente.`,
		"error_location_code": "MODEL:CONTENT:CHECK_FOR_CONTENT_UNIQUENESS:ALREADY_EXISTS"}
	want(t, autora.do("POST", "/api/v1/contents", article("um", "published")), 400, duplicate)
	want(t, autora.do("POST", "/api/v1/contents", comment(id, "um")), 400, duplicate)
	leitor.create(article("um", "draft"))
	want(t, autora.do("PATCH", "/api/v1/contents/autora/um", object{"status": "deleted"}), 200, object{"status": "deleted"})
	if again := autora.create(article("um", "draft")); again.text("id") == id {
		t.Error("the new content has the old id")
	}
}

func TestCommentsGetRandomSlugsAndMayAnswerAnything(t *testing.T) {
	s := start(t)
	autora, leitor := login(t, s, "autora"), login(t, s, "leitor")
	parent := leitor.create(article("rascunho", "draft")).text("id")
	fields := object{"parent_id": parent, "body": good, "status": "draft", "type": "ad"}
	first, second := autora.create(fields), autora.create(fields)
	if first.text("slug") == second.text("slug") || len(first.text("slug")) != 36 {
		t.Errorf("slugs %s and %s", first.text("slug"), second.text("slug"))
	}
	want(t, first, 201, object{"title": nil, "type": "content", "parent_id": parent})
	want(t, leitor.do("PATCH", "/api/v1/contents/leitor/rascunho", object{"status": "deleted"}), 200, nil)
	autora.at("10.0.0.2").create(comment(parent, "a-um-apagado"))
	stream := autora.at("10.0.0.3").do("POST", "/api/v1/contents", comment(parent, "fluxo"), "Accept", "application/x-ndjson")
	if stream.status != 201 || !strings.HasSuffix(stream.raw, "}\n") {
		t.Errorf("ndjson: %d %q", stream.status, stream.raw)
	}
}

func TestAdsCostTabCash(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	ad := article("anuncio", "published")
	ad["type"] = "ad"
	want(t, c.do("POST", "/api/v1/contents", ad), 422, object{
		"name": "UnprocessableEntityError", "error_location_code": "MODEL:CONTENT:UPDATE_TABCASH:NOT_ENOUGH"})
	if len(s.Contents()) != 0 {
		t.Fatal("a refused ad was stored")
	}
	want(t, control(t, s, "users", object{"username": "autora", "tabcash": 100}), 200, object{"tabcash": 100})
	want(t, c.do("POST", "/api/v1/contents", ad), 201, object{"type": "ad"})
	want(t, c.do("GET", "/api/v1/user", nil), 200, object{"tabcash": 0})
}

func TestIfNoneMatchHidesACreation(t *testing.T) {
	s := start(t)
	c := login(t, s, "autora")
	r := c.do("POST", "/api/v1/contents", article("um", "published"), "If-None-Match", "*")
	if r.status != 304 || r.raw != "" {
		t.Errorf("%d %q, want an empty 304", r.status, r.raw)
	}
	want(t, c.do("GET", "/api/v1/contents/autora/um", nil), 200, object{"slug": "um"})
}

func TestHalfABodyCreatesNothing(t *testing.T) {
	s := start(t)
	conn := dial(t, s)
	fmt.Fprintf(conn, "POST /api/v1/contents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"title\"")
	if err := s.WaitArrivals(soon(t), "POST", "/api/v1/contents", 1); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	// A later request on another connection is answered; the half one never is.
	want(t, anonymous(t, s).do("GET", "/api/v1/contents", nil), 200, nil)
	if len(s.Contents()) != 0 || s.Arrivals()[0].Status != 0 {
		t.Errorf("contents %v, arrivals %v", s.Contents(), s.Arrivals())
	}
}
