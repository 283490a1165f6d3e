// The output channels: the server's log, and the messages to and fro.
import { EventEmitter, LogLevel, window, workspace, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { Channels } from './client';

export function newChannels(context: ExtensionContext): Channels {
  const log = window.createOutputChannel('ABL', { log: true });
  const trace = window.createOutputChannel('ABL (messages)', { log: true });
  context.subscriptions.push(log, trace);
  return { log, trace: bySetting(context, trace) };
}

/** A channel whose level is what `abl.trace.server` says: the client writes messages
 * at the level Trace only, which nobody looks for in a menu. */
function bySetting(context: ExtensionContext, channel: LogOutputChannel): LogOutputChannel {
  const changed = new EventEmitter<LogLevel>();
  const level = () => (traced() ? LogLevel.Trace : LogLevel.Info);
  context.subscriptions.push(
    changed,
    workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('abl.trace.server')) {
        changed.fire(level());
      }
    }),
  );
  return Object.create(channel, {
    logLevel: { get: level },
    onDidChangeLogLevel: { value: changed.event },
    trace: { value: (message: string) => channel.info(masked(message)) },
  });
}

const text = /"(?:[^"\\]|\\.)*"/.source;
const secrets = new RegExp(`("secrets":\\s*)\\{\\s*${text}:\\s*${text}(?:\\s*,\\s*${text}:\\s*${text})*\\s*\\}`, 'g');

/** A message without the secrets that were typed for a run: the channel is a file on disk. */
function masked(message: string): string {
  return message.replace(secrets, '$1"••••"');
}

function traced(): boolean {
  return workspace.getConfiguration('abl').get('trace.server', 'off') !== 'off';
}
