import { type Document, Timestamp } from 'bson';
import { decode, encode } from '../wire/bson.ts';
import { changeNumberOf } from './position.ts';
import type { Change } from './ReplicationSource.ts';

/** Returns the change stream document for a change; MongoDB's manual, "Change Events". */
export function toChangeEvent(
  change: Change,
  options: Record<string, unknown>,
  { hasFullDocument = true }: { hasFullDocument?: boolean } = {},
): Document | undefined {
  const after = change.after && decode(change.after);
  const before = change.before && decode(change.before);
  const current = after ?? before;
  if (!current) return undefined;
  const event: Document = {
    _id: { _data: change.position },
    operationType: change.kind,
    clusterTime: new Timestamp({
      t: Math.floor(change.committedAtMs / 1000),
      i: changeNumberOf(change.position) + 1,
    }),
    wallTime: new Date(change.committedAtMs),
    ns: { db: change.database, coll: change.collection },
    documentKey: { _id: current._id },
  };
  if (change.kind === 'insert' && hasFullDocument) event.fullDocument = after;
  if (change.kind === 'update' && after) {
    event.updateDescription = describeUpdate(before ?? {}, after);
    if (hasFullDocument && isOn(options.fullDocument, 'default')) event.fullDocument = after;
  }
  if (before && isOn(options.fullDocumentBeforeChange, 'off')) event.fullDocumentBeforeChange = before;
  return event;
}

function isOn(option: unknown, off: string): boolean {
  return option !== undefined && option !== off;
}

/** Returns the fields that differ. Arrays are compared as one value, so a changed array is reported as a whole. */
export function describeUpdate(before: Document, after: Document): Document {
  const updatedFields: Document = {};
  const removedFields: string[] = [];
  const compare = (old: Document, current: Document, prefix: string): void => {
    for (const key of Object.keys(current)) {
      if (!Object.hasOwn(old, key)) updatedFields[prefix + key] = current[key];
      else if (isSame(old[key], current[key])) continue;
      else if (isPlain(old[key]) && isPlain(current[key]))
        compare(old[key], current[key], `${prefix}${key}.`);
      else updatedFields[prefix + key] = current[key];
    }
    for (const key of Object.keys(old)) if (!Object.hasOwn(current, key)) removedFields.push(prefix + key);
  };
  compare(before, after, '');
  return { updatedFields, removedFields, truncatedArrays: [] };
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  return Buffer.compare(encode({ value: one }), encode({ value: other })) === 0;
}

function isPlain(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
