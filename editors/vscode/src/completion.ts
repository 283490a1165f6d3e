// What is suggested, as VS Code takes it.
import { CompletionItem, CompletionItemKind, Range, type CompletionList, type Position, type TextDocument } from 'vscode';

type Suggested = CompletionItem[] | CompletionList | null | undefined;

/** Keeps VS Code from offering the words of the file where the server offers nothing, in ABL's own files:
 * Enter would put one in place of what was typed. An item that fits no word does, for words come only where
 * no item does. Their setting goes by the language of the place, which in code is JavaScript. */
export function suppressWords(suggested: Suggested, document: TextDocument, at: Position): Suggested {
  const { firstNonWhitespaceCharacterIndex: start } = document.lineAt(at);
  const some = Array.isArray(suggested) ? suggested.length : suggested?.items.length;
  if (some || start >= at.character || !(document.languageId === 'abl' || /[/\\]abl\.yaml$|\.cases\.yaml$/.test(document.fileName))) {
    return suggested;
  }
  const none = new CompletionItem(' ');
  none.range = new Range(at.line, start, at.line, at.character);
  none.filterText = '\u200b';
  return [none];
}

/** Has the server's snippets shown although `editor.snippetSuggestions` is none in ABL: that keeps those of
 * JavaScript out of code, of which one makes `throw error` and Enter a `console.error()`. */
export function showSnippets(suggested: Suggested): Suggested {
  for (const item of Array.isArray(suggested) ? suggested : (suggested?.items ?? [])) {
    if (item.kind === CompletionItemKind.Snippet) {
      item.kind = CompletionItemKind.Struct;
    }
  }
  return suggested;
}

/** Has what may follow a key shown as soon as the key is put in, as it is when the
 * key is typed. */
export function suggestValuesNext(suggested: Suggested): Suggested {
  for (const item of Array.isArray(suggested) ? suggested : (suggested?.items ?? [])) {
    if (/: (\$1)?$/.test(insertedText(item))) {
      item.command ??= { title: '', command: 'editor.action.triggerSuggest', arguments: [{ auto: true }] }; // which says nothing where there is nothing
    }
  }
  return suggested;
}

function insertedText({ insertText, label }: CompletionItem): string {
  return typeof insertText === 'object' ? insertText.value : (insertText ?? (typeof label === 'string' ? label : label.label));
}
