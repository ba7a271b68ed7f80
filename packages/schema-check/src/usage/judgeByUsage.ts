import type { Change, ChangeKind } from '../Change.ts';
import type { Users } from './findUsers.ts';
import type { OperationUse, RecordedUsage } from './Usage.ts';

/** Changes that break only the clients that use what is removed. */
const removals: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'field-removed',
  'type-removed',
  'argument-removed',
  'enum-value-removed',
  'route-removed',
]);

/** Changes that break the users of the field or input object, because clients do not send the new or changed member. */
const demands: ReadonlySet<ChangeKind> = new Set<ChangeKind>([
  'required-argument-added',
  'argument-became-required',
  'required-input-field-added',
  'input-field-became-required',
]);

const shownClients = 3;

/**
 * Adds to breaking changes which clients use the changed part. The removal of an unused part becomes dangerous if enough
 * days are recorded.
 */
export function judgeByUsage(
  changes: readonly Change[],
  users: Users,
  { rules, recordedDays }: RecordedUsage,
): Change[] {
  const { windowDays, minimumDays } = rules;
  return changes.map((change) => {
    if (change.severity !== 'breaking') return change;
    const found = users.of(partOf(change));
    if (found.length > 0) return withNote(change, describeUsers(found, windowDays));
    if (!removals.has(change.kind)) return change;
    const recorded = `on ${recordedDays} recorded days of the last ${windowDays}`;
    return recordedDays >= minimumDays
      ? { ...withNote(change, `No client used it ${recorded}.`), severity: 'dangerous' }
      : withNote(change, `No client used it ${recorded}; ${minimumDays} are needed.`);
  });
}

function withNote(change: Change, note: string): Change {
  return { ...change, message: `${change.message} ${note}` };
}

/** Returns the part of the API whose users a change affects. */
function partOf({ kind, path }: Change): string {
  const [route] = /^[A-Z]+ \/\S*/.exec(path) ?? [];
  if (route !== undefined) return route;
  return demands.has(kind) ? path.replace(/\(\w+:\)$|\.\w+$/, '') : path;
}

function describeUsers(uses: readonly OperationUse[], windowDays: number): string {
  const clients = uses
    .slice(0, shownClients)
    .map(({ client, count }) => `client \`${client}\` ${count.toLocaleString('en-US')} times`);
  const more = uses.length - shownClients;
  if (more > 0) clients.push(more === 1 ? '1 further client' : `${more} further clients`);
  const last = uses.reduce((latest, { lastUsedAt }) => (lastUsedAt > latest ? lastUsedAt : latest), '');
  const list = new Intl.ListFormat('en-GB').format(clients);
  return `Used by ${list} in ${windowDays} days, last used ${last.slice(0, 16)}Z.`;
}
