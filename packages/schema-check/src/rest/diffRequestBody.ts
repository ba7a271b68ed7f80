import { type Change, toChange } from '../Change.ts';
import { type Json, membersOf, toObject } from './Json.ts';
import { type Operation, resolve } from './OpenApi.ts';
import type { SchemaDiff } from './Position.ts';

/** The two documents, for references, and the comparison of their schemas. */
export interface Documents {
  readonly base: Json;
  readonly next: Json;
  readonly diffSchemas: SchemaDiff;
}

/** Compares the request bodies of a route: whether one is needed, its media types, and what they hold. */
export function diffRequestBody(before: Operation, after: Operation, documents: Documents): Change[] {
  const { name } = before;
  const was = bodyOf(before, documents.base);
  const is = bodyOf(after, documents.next);
  if (!was && !is) return [];
  if (!was) {
    return is?.required === true
      ? [toChange('required-body-added', name, `${name} demands a body now.`)]
      : [toChange('body-added', name, `${name} may carry a body now.`)];
  }
  if (!is) return [toChange('body-removed', name, `${name} no longer takes a body.`)];
  const changes: Change[] = [];
  if (was.required !== true && is.required === true)
    changes.push(toChange('body-became-required', name, `${name} demands its body now.`));
  if (was.required === true && is.required !== true)
    changes.push(toChange('body-became-optional', name, `${name} may come without its body now.`));
  return [...changes, ...diffMediaTypes(name, was, is, documents.diffSchemas)];
}

function bodyOf({ body }: Operation, document: Json): Json | undefined {
  return body.requestBody === undefined ? undefined : resolve(body.requestBody, document);
}

function diffMediaTypes(name: string, was: Json, is: Json, diffSchemas: SchemaDiff): Change[] {
  const [known, present] = [membersOf(was.content), membersOf(is.content)];
  const changes: Change[] = [];
  for (const [type, media] of known) {
    const now = present.get(type);
    if (now === undefined) {
      changes.push(toChange('request-media-type-removed', `${name} ${type}`, `${name} refuses ${type} now.`));
      continue;
    }
    const position = { place: `${name} body`, member: '' };
    changes.push(...diffSchemas('request', toObject(media).schema, toObject(now).schema, position));
  }
  for (const type of present.keys()) {
    if (known.has(type)) continue;
    changes.push(toChange('request-media-type-added', `${name} ${type}`, `${name} takes ${type} now.`));
  }
  return changes;
}
