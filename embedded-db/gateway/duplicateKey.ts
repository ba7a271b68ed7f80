import { type Document, ObjectId } from 'bson';
import { type Command, namespaceOf } from './Command.ts';
import type { GatewayServices } from './GatewayServices.ts';
import { bytesAt, textAt } from './postgres/rows.ts';
import { statements } from './postgres/statements.ts';
import { decode, encode } from './wire/bson.ts';

export interface DuplicateKey {
  message: string;
  details: { keyPattern?: Document; keyValue?: Document };
}

/** PostgreSQL's data on the violated index. */
interface Violation {
  message: string;
  constraint?: string | undefined;
}

/**
 * Returns MongoDB's message for a duplicate key, with `keyPattern` and `keyValue`, which drivers and mongoose read.
 * DocumentDB names only the index, so the pattern is looked up and the value taken from the written document. The value
 * is a best effort if an update operator computes it.
 */
export async function describeDuplicateKey(
  services: GatewayServices,
  command: Command,
  violation: Violation,
  written: Document | undefined,
): Promise<DuplicateKey> {
  const collection = command.body.string(command.name) ?? '';
  const { index, keyPattern } = await findViolatedIndex(services, command.database, collection, violation);
  const keyValue = keyPattern && valuesAt(Object.keys(keyPattern), written);
  const shown = Object.entries(keyValue ?? {}).map(([key, value]) => `${key}: ${show(value)}`);
  const namespace = namespaceOf(command, collection);
  return {
    message: `E11000 duplicate key error collection: ${namespace} index: ${index} dup key: { ${shown.join(', ')} }`,
    details: keyPattern && keyValue ? { keyPattern, keyValue } : {},
  };
}

async function findViolatedIndex(
  services: GatewayServices,
  database: string,
  collection: string,
  violation: Violation,
): Promise<{ index: string; keyPattern?: Document }> {
  let index = /Index '([^']*)'/.exec(violation.message)?.[1];
  try {
    const lookup = await services.pool.lookup();
    const id = /rum_index_(\d+)/.exec(violation.constraint ?? violation.message)?.[1];
    if (!index && id) {
      const [row] = await lookup.query('indexName', statements.indexName, [id]);
      if (row) index = textAt(row, 0);
    }
    index ??= '_id_';
    const request = encode({ listIndexes: collection });
    const [row] = await lookup.query('listIndexes', statements.listIndexes, [database, request]);
    const page = decode(bytesAt(row, 0));
    const found = page.cursor.firstBatch.find((one: Document) => one.name === index);
    return found ? { index, keyPattern: found.key } : { index };
  } catch (error) {
    // The write has already failed; a less detailed message must not become another error.
    services.log(`duplicate key: the index could not be looked up: ${String(error)}`);
    return { index: index ?? '_id_' };
  }
}

/** Returns the document at `index` of a write command as it would have been stored, as far as it is known. */
export function findWrittenDocument(command: Command, index: number): Document | undefined {
  const field = command.name === 'insert' ? 'documents' : 'updates';
  const sequence = command.sequences.get(field);
  const item = sequence ? nthOfSequence(sequence, index) : nthOfBody(command, field, index);
  if (!item || command.name === 'insert') return item;
  return afterUpdate(item.q, item.u);
}

/** Returns the document that a findAndModify was about to store. */
export function findModifiedDocument(command: Command): Document {
  const body = decode(command.body.bytes);
  return afterUpdate(body.query, body.update);
}

function nthOfBody(command: Command, field: string, index: number): Document | undefined {
  return command.body.has(field) ? decode(command.body.bytes)[field]?.[index] : undefined;
}

function nthOfSequence(sequence: Buffer, index: number): Document | undefined {
  let position = 0;
  for (let current = 0; position + 4 <= sequence.length; current++) {
    const length = sequence.readInt32LE(position);
    if (length < 5) return undefined;
    if (current === index) return decode(sequence.subarray(position, position + length));
    position += length;
  }
  return undefined;
}

function afterUpdate(filter: Document | undefined, update: unknown): Document {
  const base = { ...filter };
  if (update === null || typeof update !== 'object' || Array.isArray(update)) return base;
  const change: Document = update;
  const hasOperators = Object.keys(change).some((key) => key.startsWith('$'));
  return hasOperators ? { ...base, ...change.$setOnInsert, ...change.$set } : { ...base, ...change };
}

function valuesAt(paths: string[], document: Document | undefined): Document {
  return Object.fromEntries(paths.map((path) => [path, valueAt(document, path) ?? null]));
}

function valueAt(document: Document | undefined, path: string): unknown {
  if (document && path in document) return document[path];
  let value: unknown = document;
  for (const step of path.split('.')) {
    if (value === null || typeof value !== 'object') return undefined;
    value = (value as Document)[step];
  }
  return value;
}

function show(value: unknown): string {
  return value instanceof ObjectId ? `ObjectId('${value.toHexString()}')` : JSON.stringify(value);
}
