import type { Change } from '../Change.ts';

/** Errors of documents, by the message of graphql-js, and the change of the schema that causes them. */
const causes: readonly (readonly [message: RegExp, id: string])[] = [
  [/^Cannot query field "(\w+)" on type "(\w+)"/, 'field-removed:$2.$1'],
  [/^Field "(\w+)" is not defined by type "(\w+)"/, 'field-removed:$2.$1'],
  [/^Unknown argument "(\w+)" on field "([\w.]+)"/, 'argument-removed:$2($1:)'],
  [/^Unknown type "(\w+)"/, 'type-removed:$1'],
  [/^Value "(\w+)" does not exist in "(\w+)" enum/, 'enum-value-removed:$2.$1'],
];

/**
 * Returns the id of the change that makes a document invalid; null if there is none, or for other changes.
 *
 * @param ids ids of all changes
 */
export function findCause({ kind, message }: Change, ids: ReadonlySet<string>): string | null {
  if (kind !== 'document-invalid') return null;
  for (const [pattern, template] of causes) {
    const found = pattern.exec(message)?.[0];
    const id = found?.replace(pattern, template);
    if (id !== undefined && ids.has(id)) return id;
  }
  return null;
}
