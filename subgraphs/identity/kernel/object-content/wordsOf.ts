import type { Words } from '../../../platform/federation/askOwner.ts';

const wordsByRecord = new WeakMap<object, Words>();

/**
 * Returns the record of a reference with the texts of the reference, for a subgraph that renders it. The cached record
 * of the request is not modified.
 */
export function withWords<R extends object>(record: R | null, reference: object): R | null {
  const words = readWords(reference);
  if (!record || !words) return record;
  const copy = { ...record };
  wordsByRecord.set(copy, words);
  return copy;
}

/** Returns the texts that replace a record's own texts. */
export function wordsOf(record: object): Words | undefined {
  return wordsByRecord.get(record);
}

/** Reads the texts of a reference. References come from other subgraphs, and their members are not validated. */
function readWords(reference: object): Words | null {
  if (!('words' in reference) || typeof reference.words !== 'object' || reference.words === null) return null;
  const texts = Object.entries(reference.words).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}
