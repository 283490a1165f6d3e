package check

import "github.com/abl-lsp/abl-lsp/analysis/model"

// confirmationMissing: a tool that declares that it changes something also declares whether the
// user is asked first. The platform's compiler wants a choice; pages leave it out.
var confirmationMissing = Check{
	Code:     "confirmation-missing",
	Standard: model.Warning,
	Entry: eachTool(func(out *findings, _ Entry, t *model.ToolDecl) {
		props := t.PropertiesOfAnyKind()
		_, chosen := findProperty(props, "confirmation", "require")
		_, risk := findProperty(props, "risk_level")
		effect, ok := declaredEffect(props)
		if !ok || chosen || risk || effect.Name() == "mutation" {
			return
		}
		out.info(effect.Key.Span(), "`%s: %s` says that `%s` changes something; say whether the user is asked first: `confirm: always` or `confirm: never`.", effect.WrittenName(), effect.Text(), t.Name)
	}),
}
