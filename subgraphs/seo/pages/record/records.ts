import DataLoader from 'dataloader';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { ObjectRef } from '../object/ObjectRef.ts';
import { emptyFields, emptyKeys, SeoRecordModel, type StoredSeoRecord } from './model.ts';

/** Whose SEO fields, in which language. */
export interface RecordKey {
  readonly object: ObjectRef;
  readonly locale: string;
}

/** Loads SEO fields as stored before this request wrote any; batched, null if there are none. */
export function findRecord(context: RequestContext, key: RecordKey): Promise<StoredSeoRecord | null> {
  return context.loader(recordByKey).load(key);
}

/** Loads SEO fields by id; batched, null if there are none. */
export function findRecordById(context: RequestContext, id: string): Promise<StoredSeoRecord | null> {
  return context.loader(recordById).load(id);
}

/** Caches a written record for later fields of this request. */
export function rememberRecord(context: RequestContext, record: StoredSeoRecord): void {
  const key: RecordKey = { object: { type: record.objectType, id: record.objectId }, locale: record.locale };
  context.loader(recordByKey).clear(key).prime(key, record);
  context.loader(recordById).clear(record._id).prime(record._id, record);
}

/** Drops cached records, so that later fields of this request read them again. */
export function forgetRecords(context: RequestContext, records: readonly StoredSeoRecord[]): void {
  for (const { _id, objectType, objectId, locale } of records) {
    context.loader(recordByKey).clear({ object: { type: objectType, id: objectId }, locale });
    context.loader(recordById).clear(_id);
  }
}

/**
 * Returns the current record of a key, created with empty fields and revision 0 if there is none; concurrent callers
 * get the same one. Batched.
 */
export function ensureRecord(context: RequestContext, key: RecordKey): Promise<StoredSeoRecord> {
  return context.loader(recordMaker).load(key);
}

/** Returns the installation's SEO fields. */
export function recordsOf(context: RequestContext): ScopedCollection<StoredSeoRecord> {
  return scoped(SeoRecordModel, context.installationId);
}

/** Returns the filter of exactly one record. */
export function toFilter({ object, locale }: RecordKey) {
  return { objectType: object.type, objectId: object.id, locale };
}

function recordByKey(context: RequestContext): DataLoader<RecordKey, StoredSeoRecord | null, string> {
  return new DataLoader(
    async (keys) => {
      const byKey = await readByKey(context, keys);
      for (const record of byKey.values()) context.loader(recordById).prime(record._id, record);
      return keys.map((key) => byKey.get(toText(key)) ?? null);
    },
    { cacheKeyFn: toText },
  );
}

/** Returns a loader that creates records. It needs the current state, so nothing is cached. */
function recordMaker(context: RequestContext): DataLoader<RecordKey, StoredSeoRecord> {
  return new DataLoader((keys) => makeRecords(context, keys), { cache: false });
}

async function makeRecords(context: RequestContext, keys: readonly RecordKey[]): Promise<StoredSeoRecord[]> {
  const byKey = await readByKey(context, keys);
  const missing = new Map(keys.map((key) => [toText(key), key]));
  for (const text of byKey.keys()) missing.delete(text);
  if (missing.size > 0) {
    const made = [...missing.values()].map((key) => emptyRecord(context, key));
    const refused = await recordsOf(context).insertAbsent(made);
    const stored = refused.size > 0 ? await readByKey(context, [...missing.values()]) : toMap(made);
    for (const [text, record] of stored) byKey.set(text, record);
  }
  return keys.map((key) => {
    const record = byKey.get(toText(key));
    if (!record) throw new Error(`The SEO record of ${toText(key)} vanished.`);
    return record;
  });
}

function emptyRecord({ platform, installationId }: RequestContext, key: RecordKey): StoredSeoRecord {
  const now = new Date(platform.now());
  return {
    _id: newId('seoRecord'),
    installationId,
    ...toFilter(key),
    ...emptyFields,
    keys: emptyKeys,
    revision: 0,
    latest: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** Reads all keys in one command. Objects and languages are few, so reading their product costs little extra. */
async function readByKey(
  context: RequestContext,
  keys: readonly RecordKey[],
): Promise<Map<string, StoredSeoRecord>> {
  const distinct = <T>(values: T[]): T[] => [...new Set(values)];
  return toMap(
    await recordsOf(context).find({
      objectType: { $in: distinct(keys.map(({ object }) => object.type)) },
      objectId: { $in: distinct(keys.map(({ object }) => object.id)) },
      locale: { $in: distinct(keys.map(({ locale }) => locale)) },
    }),
  );
}

function toMap(records: readonly StoredSeoRecord[]): Map<string, StoredSeoRecord> {
  return new Map(
    records.map((record) => [
      toText({ object: { type: record.objectType, id: record.objectId }, locale: record.locale }),
      record,
    ]),
  );
}

const recordById = recordLoader(SeoRecordModel);

function toText({ object, locale }: RecordKey): string {
  return `${object.id}:${locale}`;
}
