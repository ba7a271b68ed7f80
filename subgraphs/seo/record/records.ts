import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { newId } from '../../platform/ids/newId.ts';
import { isDuplicateKey, type ScopedCollection, scoped } from '../../platform/installation/scoped.ts';
import type { ObjectRef } from '../object/ObjectRef.ts';
import { emptyFields, emptyKeys, SeoRecordModel, type StoredSeoRecord } from './model.ts';

/** Whose SEO fields, in which language. */
export interface RecordKey {
  readonly object: ObjectRef;
  readonly locale: string;
}

/** SEO fields as stored before this request wrote any; batched, null when there are none. */
export function findRecord(context: RequestContext, key: RecordKey): Promise<StoredSeoRecord | null> {
  return context.loader(recordByKey).load(key);
}

/** SEO fields by id; batched, null when there are none. */
export function findRecordById(context: RequestContext, id: string): Promise<StoredSeoRecord | null> {
  return context.loader(recordById).load(id);
}

/** Later fields of this request see the record as it was just written. */
export function rememberRecord(context: RequestContext, record: StoredSeoRecord): void {
  const key: RecordKey = { object: { type: record.objectType, id: record.objectId }, locale: record.locale };
  context.loader(recordByKey).clear(key).prime(key, record);
  context.loader(recordById).clear(record._id).prime(record._id, record);
}

/** The record of a key, made with empty fields and revision 0 if there is none; two makers get the same one. */
export async function ensureRecord(context: RequestContext, key: RecordKey): Promise<StoredSeoRecord> {
  const records = recordsOf(context);
  const now = new Date(context.platform.now());
  const existing = await records.findOne(toFilter(key));
  if (existing) return existing;
  try {
    return await records.insert({
      _id: newId('seoRecord'),
      ...toFilter(key),
      ...emptyFields,
      keys: emptyKeys,
      revision: 0,
      latest: null,
      createdAt: now,
      updatedAt: now,
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return ensureRecord(context, key);
  }
}

/** The installation's SEO fields. */
export function recordsOf(context: RequestContext): ScopedCollection<StoredSeoRecord> {
  return scoped(SeoRecordModel, context.installationId);
}

/** Filter of exactly one record. */
export function toFilter({ object, locale }: RecordKey) {
  return { objectType: object.type, objectId: object.id, locale };
}

function recordByKey(context: RequestContext): DataLoader<RecordKey, StoredSeoRecord | null, string> {
  return new DataLoader((keys) => loadByKey(context, keys), { cacheKeyFn: toText });
}

/** One command for all: objects and languages are few, so what the product of both reads too much is nothing. */
async function loadByKey(
  context: RequestContext,
  keys: readonly RecordKey[],
): Promise<(StoredSeoRecord | null)[]> {
  const distinct = <T>(values: T[]): T[] => [...new Set(values)];
  const found = await recordsOf(context).find({
    objectType: { $in: distinct(keys.map(({ object }) => object.type)) },
    objectId: { $in: distinct(keys.map(({ object }) => object.id)) },
    locale: { $in: distinct(keys.map(({ locale }) => locale)) },
  });
  for (const record of found) context.loader(recordById).prime(record._id, record);
  const byKey = new Map(
    found.map((record) => [
      toText({ object: { type: record.objectType, id: record.objectId }, locale: record.locale }),
      record,
    ]),
  );
  return keys.map((key) => byKey.get(toText(key)) ?? null);
}

function recordById(context: RequestContext): DataLoader<string, StoredSeoRecord | null> {
  return new DataLoader(async (ids) => {
    const found = await recordsOf(context).find({ _id: { $in: [...ids] } });
    const byId = new Map(found.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

function toText({ object, locale }: RecordKey): string {
  return `${object.id}:${locale}`;
}
