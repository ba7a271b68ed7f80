import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { UpdateSeoRecordInput } from '../../seo.generated.ts';
import { loadWritable, localeOf } from '../object/loadObject.ts';
import { toObjectRef } from '../object/ObjectRef.ts';
import type { SeoFields, StoredSeoRecord } from './model.ts';
import { readChanges } from './readChanges.ts';
import { ensureRecord, type RecordKey, recordsOf, rememberRecord, toFilter } from './records.ts';
import { toKeys } from './toKeys.ts';

/**
 * Saves SEO fields. The first save creates the record. If the expected version is not the current one, nothing is
 * written; a missing record has version 0.
 */
export async function updateSeoRecord(
  input: UpdateSeoRecordInput,
  context: RequestContext,
): Promise<{ record: StoredSeoRecord }> {
  const object = toObjectRef(input.object);
  const owned = await loadWritable(context, object);
  const changes = readChanges(input);
  const key: RecordKey = { object, locale: localeOf(context, owned, input.locale) };
  await assertRevision(context, key, input.expectedVersion);
  const { _id } = await ensureRecord(context, key);
  const expected = input.expectedVersion ?? null;
  const record = await recordsOf(context).findOneAndUpdate(
    { _id, ...(expected === null ? {} : { revision: expected }) },
    {
      $set: { ...changes, ...keysOf(changes, key.locale), updatedAt: new Date(context.platform.now()) },
      $inc: { revision: 1 },
    },
  );
  if (!record) {
    await assertRevision(context, key, expected);
    throw new Error(`SEO record ${_id} vanished while it was changed.`);
  }
  rememberRecord(context, record);
  return { record };
}

/** Returns the keys of the changed fields. */
function keysOf(changes: Partial<SeoFields>, locale: string): Record<string, string | null> {
  const keys = toKeys({ keyphrase: null, seoTitle: null, metaDescription: null, ...changes }, locale);
  const changed = Object.entries(keys).filter(([name]) => changes[name as keyof typeof keys] !== undefined);
  return Object.fromEntries(changed.map(([name, key]) => [`keys.${name}`, key]));
}

async function assertRevision(
  context: RequestContext,
  key: RecordKey,
  expected: number | null | undefined,
): Promise<void> {
  if (expected === null || expected === undefined) return;
  const current = await recordsOf(context).findOne(toFilter(key), { projection: { revision: 1 } });
  assertVersion(current?.revision ?? 0, expected);
}
