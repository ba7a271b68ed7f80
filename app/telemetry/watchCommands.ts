import type { mongo } from 'mongoose';
import type { CommandLabels, Metrics } from './openMetrics.ts';
import type { OpenSpan, Tracing } from './openTracing.ts';

/** Part of the driver's client that reports commands. */
type Client = Pick<mongo.MongoClient, 'on' | 'off'>;

interface Watched {
  readonly labels: CommandLabels;
  readonly span: OpenSpan | undefined;
}

/**
 * Maximum number of open commands. Those without a response, for example after a broken connection, must not be kept
 * indefinitely.
 */
const mostOpen = 10_000;

/**
 * Measures every command of the driver by its name and collection, never by its content, and the wait for a connection. A span belongs to the current
 * request; background work is only counted.
 *
 * @returns a function that stops measuring
 */
export function watchCommands(
  client: Client,
  { metrics, tracing }: { metrics: Metrics | undefined; tracing: Tracing | undefined },
): () => void {
  const open = new Map<string, Watched>();
  const keyOf = ({ connectionId, requestId }: { connectionId?: unknown; requestId: number }): string =>
    `${String(connectionId)} ${requestId}`;
  const begun = (event: mongo.CommandStartedEvent): void => {
    const { commandName, command } = event;
    // A change stream waits for events, so its duration is not measured.
    if (commandName === 'getMore' && 'maxTimeMS' in command) return;
    const labels = { command: commandName, collection: collectionOf(commandName, command) };
    const span = tracing?.isActive() ? beginSpan(tracing, labels) : undefined;
    if (open.size >= mostOpen) open.clear();
    open.set(keyOf(event), { labels, span });
  };
  const ended = (
    event: mongo.CommandSucceededEvent | mongo.CommandFailedEvent,
    failure: string | undefined,
  ): void => {
    const key = keyOf(event);
    const watched = open.get(key);
    if (watched === undefined) return;
    open.delete(key);
    metrics?.commandEnded(watched.labels, failure === undefined ? 'ok' : 'failed', event.duration / 1000);
    watched.span?.end({}, failure);
  };
  const succeeded = (event: mongo.CommandSucceededEvent): void => ended(event, undefined);
  const failed = (event: mongo.CommandFailedEvent): void => ended(event, event.failure.name);
  const checkedOut = ({ durationMS }: { durationMS: number }): void =>
    metrics?.connectionAwaited(durationMS / 1000);
  client.on('commandStarted', begun).on('commandSucceeded', succeeded).on('commandFailed', failed);
  client.on('connectionCheckedOut', checkedOut).on('connectionCheckOutFailed', checkedOut);
  return () => {
    client.off('commandStarted', begun);
    client.off('commandSucceeded', succeeded);
    client.off('commandFailed', failed);
    client.off('connectionCheckedOut', checkedOut);
    client.off('connectionCheckOutFailed', checkedOut);
  };
}

function collectionOf(commandName: string, command: Readonly<Record<string, unknown>>): string {
  const named = commandName === 'getMore' ? command.collection : command[commandName];
  return typeof named === 'string' ? named : '';
}

function beginSpan(tracing: Tracing, { command, collection }: CommandLabels): OpenSpan {
  return tracing.begin(`${command} ${collection}`.trimEnd(), 'outgoing', {
    'db.system.name': 'mongodb',
    'db.operation.name': command,
    ...(collection && { 'db.collection.name': collection }),
  });
}
