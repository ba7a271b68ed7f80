import type { Words } from '../../../platform/federation/askOwner.ts';

const wordsByRecord = new WeakMap<object, Words>();

/**
 * The record that a reference names, for a subgraph that asks how it would be shown with the words of the reference;
 * a record that others of the request have as well stays as it is.
 */
export function withWords<R extends object>(record: R | null, reference: object): R | null {
  const words = readWords(reference);
  if (!record || !words) return record;
  const copy = { ...record };
  wordsByRecord.set(copy, words);
  return copy;
}

/** Words that stand in the place of a record's own. */
export function wordsOf(record: object): Words | undefined {
  return wordsByRecord.get(record);
}

/** References come from other subgraphs, and nothing checks their members. */
function readWords(reference: object): Words | null {
  if (!('words' in reference) || typeof reference.words !== 'object' || reference.words === null) return null;
  const texts = Object.entries(reference.words).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
