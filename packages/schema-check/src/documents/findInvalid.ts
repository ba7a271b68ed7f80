import { GraphQLError, type GraphQLSchema, validate } from 'graphql';
import { type Change, toChange } from '../Change.ts';
import type { JoinedDocument } from './joinFragments.ts';

/** An error of a document, at its place. */
interface Fault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** Documents with the fault: several if it is in a shared fragment. */
  readonly documents: Set<string>;
}

/**
 * Returns one change for each file with errors, at the line of its first one. An error in a shared fragment is reported
 * once, at the fragment.
 */
export function findInvalid(joined: readonly JoinedDocument[], schema: GraphQLSchema): Change[] {
  const faults = new Map<string, Fault>();
  for (const { source, document } of joined) {
    const errors = document instanceof GraphQLError ? [document] : validate(schema, document);
    for (const error of errors) {
      const fault = toFault(error, nameOf(source));
      const key = `${fault.file}:${fault.line}:${fault.message}`;
      const known = faults.get(key) ?? fault;
      known.documents.add(nameOf(source));
      faults.set(key, known);
    }
  }
  return Object.entries(Object.groupBy(faults.values(), ({ file }) => file)).flatMap(([file, found = []]) =>
    toInvalid(file, found),
  );
}

/** Returns the name of a document: its file, and its id in a manifest. */
export function nameOf({ file, id }: JoinedDocument['source']): string {
  return id === undefined ? file : `${file} ${id}`;
}

function toFault(error: GraphQLError, name: string): Fault {
  const file = error.source?.name ?? name;
  return {
    file: name.startsWith(`${file} `) ? name : file,
    line: name.includes(' ') ? 1 : (error.locations?.[0]?.line ?? 1),
    message: error.message,
    documents: new Set(),
  };
}

function toInvalid(file: string, faults: readonly Fault[]): Change[] {
  const [first] = faults;
  if (!first) return [];
  const messages = [...new Set(faults.map(({ message }) => message))].join(' ');
  const others = [...new Set(faults.flatMap(({ documents }) => [...documents]))].filter(
    (name) => name !== file,
  );
  const users = others.length > 0 ? ` Used by ${others.join(', ')}.` : '';
  return [{ ...toChange('document-invalid', file, `${messages}${users}`), line: first.line }];
}
