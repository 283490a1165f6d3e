// Adapts suggestions to VS Code.
import { CompletionItem, CompletionItemKind, Range, type CompletionList, type Position, type TextDocument } from 'vscode';

type Suggested = CompletionItem[] | CompletionList | null | undefined;

/** Prevents VS Code from offering words of the file if the server offers nothing, in ABL's own files:
 * Enter would replace what was typed. It returns one item that matches no word, because VS Code offers words
 * only without items. The setting for words depends on the language at the cursor, which in code is JavaScript. */
export function suppressWords(suggested: Suggested, document: TextDocument, at: Position): Suggested {
  const { firstNonWhitespaceCharacterIndex: start } = document.lineAt(at);
  const some = Array.isArray(suggested) ? suggested.length : suggested?.items.length;
  if (some || start >= at.character || !(document.languageId === 'abl' || /[/\\]abl\.yaml$|\.(agent|cases)\.yaml$/.test(document.fileName))) {
    return suggested;
  }
  const none = new CompletionItem(' ');
  none.range = new Range(at.line, start, at.line, at.character);
  none.filterText = '\u200b';
  return [none];
}

/** Shows the server's snippets although `editor.snippetSuggestions` is none for ABL. That setting keeps snippets of
 * JavaScript out of code: one of them turns `throw error` and Enter into `console.error()`. */
export function showSnippets(suggested: Suggested): Suggested {
  for (const item of Array.isArray(suggested) ? suggested : (suggested?.items ?? [])) {
    if (item.kind === CompletionItemKind.Snippet) {
      item.kind = CompletionItemKind.Struct;
    }
  }
  return suggested;
}

/** Shows the possible values as soon as a key is completed, as VS Code does when the
 * key is typed. */
export function suggestValuesNext(suggested: Suggested): Suggested {
  for (const item of Array.isArray(suggested) ? suggested : (suggested?.items ?? [])) {
    if (/: (\$1)?$/.test(insertedText(item))) {
      item.command ??= { title: '', command: 'editor.action.triggerSuggest', arguments: [{ auto: true }] }; // it shows nothing if there are no suggestions
    }
  }
  return suggested;
}

function insertedText({ insertText, label }: CompletionItem): string {
  return typeof insertText === 'object' ? insertText.value : (insertText ?? (typeof label === 'string' ? label : label.label));
}
