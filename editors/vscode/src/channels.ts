// The output channels: the server's log, and the messages in both directions.
import { EventEmitter, LogLevel, window, workspace, type ExtensionContext, type LogOutputChannel } from 'vscode';
import type { Channels } from './client';
import { indentJSON } from './exact';
import type { Json } from './protocol';

export function newChannels(context: ExtensionContext): Channels {
  const log = window.createOutputChannel('ABL', { log: true });
  const trace = window.createOutputChannel('ABL (messages)', { log: true });
  context.subscriptions.push(log, trace);
  return { log, trace: withLevelFromSetting(context, trace) };
}

/** Returns a channel whose level follows `abl.trace.server`: the client writes messages
 * only at the level Trace, which people do not find in a menu. */
function withLevelFromSetting(context: ExtensionContext, channel: LogOutputChannel): LogOutputChannel {
  const changed = new EventEmitter<LogLevel>();
  const level = () => (isTraced() ? LogLevel.Trace : LogLevel.Info);
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
    trace: { value: (message: string) => channel.info(maskTyped(message)) },
  });
}

const mark = '••••';

/** Masks what was typed for a run in a message, because the channel is a file on disk. */
function maskTyped(message: string): string {
  return message.replace(/(?<=\n(?:Params|Result): )[{[][^]*$/, (json) => indentJSON(maskValues(JSON.parse(json)), 4));
}

/** Masks values, but keeps the names, so that one sees what was called. */
function maskValues(said: Json): Json {
  const copied = said !== null && typeof said === 'object' && Object.keys(said).join() === 'text'; // the answer of abl.copy
  return copied ? { text: mark } : JSON.parse(JSON.stringify(said), (key, value: Json) => {
    const typed = ['secrets', 'args', 'session'].includes(key) && value !== null && typeof value === 'object' && !Array.isArray(value);
    return typed ? Object.fromEntries(Object.keys(value).map((name) => [name, mark])) : value;
  }) as Json;
}

function isTraced(): boolean {
  return workspace.getConfiguration('abl').get('trace.server', 'off') !== 'off';
}
