import { type Change, type ChangeKind, toChange } from '../Change.ts';
import type { Documents } from './diffRequestBody.ts';
import { type Json, membersOf, textsOf, toObject } from './Json.ts';
import { type Operation, resolve } from './OpenApi.ts';

/** Compares the responses of a route: statuses, media types, bodies, headers, and the codes of its problems. */
export function diffResponses(before: Operation, after: Operation, documents: Documents): Change[] {
  const { name } = before;
  const [known, present] = [membersOf(before.body.responses), membersOf(after.body.responses)];
  const changes = movedCodes(
    name,
    statusesByCode(known, documents.base),
    statusesByCode(present, documents.next),
  );
  for (const [status, answer] of known) {
    const now = present.get(status);
    if (now === undefined) changes.push(removedStatus(name, status, [...present.keys()]));
    else {
      const answers = [resolve(answer, documents.base), resolve(now, documents.next)] as const;
      changes.push(...diffAnswer(`${name} ${status}`, answers, documents));
    }
  }
  for (const status of present.keys()) {
    if (known.has(status)) continue;
    const kind = isSuccess(status) ? 'status-added' : 'error-status-added';
    changes.push(toChange(kind, `${name} ${status}`, `${name} may answer ${status} now.`));
  }
  return changes;
}

function removedStatus(name: string, status: string, present: readonly string[]): Change {
  const path = `${name} ${status}`;
  if (!isSuccess(status))
    return toChange('error-status-removed', path, `${name} never answers ${status} now.`);
  const successes = present.filter(isSuccess).join(', ') || 'none';
  const message = `${name} never answers ${status} now; its statuses of success are: ${successes}.`;
  return toChange('status-removed', path, message);
}

/** Returns whether a status may mean success, which includes `default`. */
function isSuccess(status: string): boolean {
  return !/^[45]/.test(status);
}

type StatusesByCode = ReadonlyMap<string, readonly string[]>;

/** Reports codes that had one status and now have only others. */
function movedCodes(name: string, known: StatusesByCode, present: StatusesByCode): Change[] {
  return [...known].flatMap(([code, statuses]) => {
    const current = present.get(code);
    if (!current) return [];
    return statuses
      .filter((status) => !current.includes(status))
      .map((status) => {
        const message = `${name} answers ${code} with ${current.join(', ')}, before with ${status}.`;
        return toChange('problem-status-changed', `${name} ${status} ${code}`, message);
      });
  });
}

function statusesByCode(answers: ReadonlyMap<string, unknown>, document: Json): StatusesByCode {
  const statuses = new Map<string, string[]>();
  for (const [status, answer] of answers) {
    for (const code of textsOf(resolve(answer, document)['x-codes'])) {
      statuses.set(code, [...(statuses.get(code) ?? []), status]);
    }
  }
  return statuses;
}

function diffAnswer(path: string, [was, is]: readonly [Json, Json], documents: Documents): Change[] {
  const [types, headers] = [named(was.content, is.content), named(was.headers, is.headers)];
  const changes: Change[] = [
    ...types.only('response-media-type-removed', 'response-media-type-added', path),
    ...headers.only('response-header-removed', 'response-header-added', path),
  ];
  for (const [, before, after] of types.both) {
    const position = { place: path, member: '' };
    const [old, now] = [toObject(before).schema, toObject(after).schema];
    changes.push(...documents.diffSchemas('response', old, now, position));
  }
  for (const [name, before, after] of headers.both) {
    const [old, now] = [resolve(before, documents.base).schema, resolve(after, documents.next).schema];
    changes.push(
      ...documents.diffSchemas('response', old, now, { place: `${path} header:${name}`, member: '' }),
    );
  }
  return changes;
}

/** Returns the common members of two objects by name, and changes for all others. */
function named(before: unknown, after: unknown) {
  const [known, present] = [membersOf(before), membersOf(after)];
  const both = [...known].flatMap(([name, value]) =>
    present.has(name) ? [[name, value, present.get(name)] as const] : [],
  );
  const only = (removed: ChangeKind, added: ChangeKind, path: string): Change[] => [
    ...[...known.keys()]
      .filter((name) => !present.has(name))
      .map((name) => toChange(removed, `${path} ${name}`, `${path} no longer has ${name}.`)),
    ...[...present.keys()]
      .filter((name) => !known.has(name))
      .map((name) => toChange(added, `${path} ${name}`, `${path} has ${name} now.`)),
  ];
  return { both, only };
}
