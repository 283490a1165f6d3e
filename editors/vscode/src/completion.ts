// What is suggested, as VS Code takes it.
import type { CompletionItem, CompletionList } from 'vscode';

type Suggested = CompletionItem[] | CompletionList | null | undefined;

/** Has what may follow a key shown as soon as the key is put in, as it is when the
 * key is typed. */
export function leadingOn(suggested: Suggested): Suggested {
  for (const item of Array.isArray(suggested) ? suggested : (suggested?.items ?? [])) {
    if (/: (\$1)?$/.test(written(item))) {
      item.command ??= { title: '', command: 'editor.action.triggerSuggest', arguments: [{ auto: true }] }; // which says nothing where there is nothing
    }
  }
  return suggested;
}

function written({ insertText, label }: CompletionItem): string {
  return typeof insertText === 'object' ? insertText.value : (insertText ?? (typeof label === 'string' ? label : label.label));
}
