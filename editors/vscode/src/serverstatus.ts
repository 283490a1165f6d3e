// Shows in the language status whether the server runs.
import { commands, EventEmitter, languages, LanguageStatusSeverity, type DocumentSelector, type ExtensionContext, type LanguageStatusItem } from 'vscode';
import { State, type LanguageClient } from 'vscode-languageclient/node';
import { selector } from './client';

export class ServerStatus {
  private readonly item: LanguageStatusItem = languages.createLanguageStatusItem('abl.server', selector as DocumentSelector);
  private readonly didStart = new EventEmitter<void>();

  constructor(private readonly context: ExtensionContext) {
    this.item.name = 'ABL server';
    context.subscriptions.push(this.item, this.didStart);
  }

  /** Shows the state of this client from now on. */
  follow(client: LanguageClient): void {
    this.show(client, client.state);
    this.context.subscriptions.push(
      client.onDidChangeState(({ newState }) => {
        this.show(client, newState);
        if (newState === State.Running) {
          this.didStart.fire();
        }
      }),
    );
  }

  /** Calls act each time a server starts to run. */
  onRunning(act: () => void): void {
    this.context.subscriptions.push(this.didStart.event(act));
  }

  private show(client: LanguageClient, state: State): void {
    const { item } = this;
    item.busy = state === State.Starting;
    const off = state === State.Stopped || state === State.StartFailed;
    void commands.executeCommand('setContext', 'abl.off', off); // decides the text of the empty view of runs
    item.severity = off ? LanguageStatusSeverity.Error : LanguageStatusSeverity.Information;
    item.text = off ? 'The ABL server is not running' : `ABL server ${client.initializeResult?.serverInfo?.version ?? ''}`;
    item.command = off ? { command: 'abl.restart', title: 'Start' } : { command: 'abl.showLog', title: 'Show Log' };
  }
}
