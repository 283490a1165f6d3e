// Whether the server runs, in the language status.
import { languages, LanguageStatusSeverity, type ExtensionContext } from 'vscode';
import { State, type LanguageClient } from 'vscode-languageclient/node';

export function showState(context: ExtensionContext, client: LanguageClient): void {
  const item = languages.createLanguageStatusItem('abl.server', { language: 'abl' });
  item.name = 'ABL server';
  const show = (state: State) => {
    item.busy = state === State.Starting;
    const off = state === State.Stopped || state === State.StartFailed;
    item.severity = off ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    item.text = off ? 'The ABL server is not running' : `ABL server ${client.initializeResult?.serverInfo?.version ?? ''}`;
    item.command = off ? { command: 'abl.restart', title: 'Start' } : { command: 'abl.showLog', title: 'Show Log' };
  };
  show(client.state);
  context.subscriptions.push(
    item,
    client.onDidChangeState(({ newState }) => show(newState)),
  );
}

/** Does something the first time that the server runs. */
export function whenRunning(client: LanguageClient, act: () => void): void {
  const listener = client.onDidChangeState(({ newState }) => {
    if (newState === State.Running) {
      listener.dispose();
      act();
    }
  });
}
