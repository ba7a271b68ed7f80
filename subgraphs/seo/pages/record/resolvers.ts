import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { findReference, loadObject, localeOf } from '../object/loadObject.ts';
import { type ObjectRef, toObjectRef } from '../object/ObjectRef.ts';
import { SeoRecordModel, type StoredSeoRecord } from './model.ts';
import { recordProblems } from './readChanges.ts';
import { findRecord, findRecordById } from './records.ts';
import { updateSeoRecord } from './updateSeoRecord.ts';

/** Parent of the resolvers of a record. */
export type SeoRecordParent = StoredSeoRecord;

const resolvers: Resolvers = {
  Query: {
    seoRecord: (_, { object, locale }, context) => findSeo(context, toObjectRef(object), locale),
  },
  Mutation: {
    updateSeoRecord: (_, { input }, context) => updateSeoRecord(input, context),
  },
  Listing: { seo: ({ id }, { locale }, context) => findSeo(context, { type: 'listing', id }, locale) },
  Dealer: { seo: ({ id }, { locale }, context) => findSeo(context, { type: 'dealer', id }, locale) },
  Page: { seo: ({ id }, { locale }, context) => findSeo(context, { type: 'page', id }, locale) },
  SeoRecord: {
    __resolveReference: ({ id }, context) => findReachable(context, id),
    object: ({ objectType, objectId }, _, context) =>
      findReference(context, { type: objectType, id: objectId }),
  },
};

/** Returns the SEO fields of an object that the caller can access. */
async function findSeo(
  context: RequestContext,
  object: ObjectRef,
  locale: string | null | undefined,
): Promise<StoredSeoRecord | null> {
  const owned = await loadObject(context, object);
  return findRecord(context, { object, locale: localeOf(context, owned, locale) });
}

/** Returns a record that another subgraph refers to; access depends on its object. */
async function findReachable(context: RequestContext, id: string): Promise<StoredSeoRecord | null> {
  const record = isId('seoRecord', id) ? await findRecordById(context, id) : null;
  if (record) await loadObject(context, { type: record.objectType, id: record.objectId });
  return record;
}

/** SEO fields of objects, by language. */
export const record: Resource = {
  resolvers,
  inputRules: { updateSeoRecord: recordProblems },
  models: [SeoRecordModel],
};
