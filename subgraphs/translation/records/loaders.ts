import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { findByIds } from '../../platform/context/recordLoader.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { forgetCandidates } from './candidates.ts';
import {
  headProjection,
  publicProjection,
  readerProjection,
  type StoredTranslation,
  type TranslationHead,
  TranslationModel,
  type TranslationTexts,
  workProjection,
} from './model.ts';

const maxBatchSize = 1000;

/** Loads the record of an object key without its texts; null if the object never had one. */
export function loadByObjectKey(context: RequestContext, key: string): Promise<TranslationHead | null> {
  return context.loader(byObjectKey).load(key);
}

/** Loads the record with only the members that readers need: see `readerProjection`. */
export function loadForReader(context: RequestContext, key: string): Promise<TranslationHead | null> {
  return context.loader(byObjectKeyForReader).load(key);
}

/** Loads the record of an id, without its texts. */
export function loadHead(context: RequestContext, id: string): Promise<TranslationHead | null> {
  return context.loader(byId).load(id);
}

/** Loads the whole record of an id. */
export function loadStored(context: RequestContext, id: string): Promise<StoredTranslation | null> {
  return context.loader(wholeById).load(id);
}

/**
 * Loads the members of a group, in ascending order of creation.
 *
 * @param texts which of their texts are included, for lists that show them
 */
export function loadMembers(
  context: RequestContext,
  groupId: string,
  texts: keyof typeof membersLoaders = 'none',
): Promise<(TranslationHead & Partial<TranslationTexts>)[]> {
  return context.loader(membersLoaders[texts]).load(groupId);
}

/** Drops cached records after a write, so that the rest of the request reads the stored state. */
export function forgetTranslations(context: RequestContext): void {
  for (const factory of [
    byObjectKey,
    byObjectKeyForReader,
    byId,
    wholeById,
    ...Object.values(membersLoaders),
  ])
    context.loader<Cache>(factory).clearAll();
  forgetCandidates(context);
}

/** Caches written records for the rest of the request. */
export function rememberTranslations(context: RequestContext, records: readonly TranslationHead[]): void {
  for (const record of records) {
    context.loader(byObjectKey).prime(record.objectKey, record);
    context.loader(byId).prime(record._id, record);
  }
}

type Cache = Pick<DataLoader<string, unknown>, 'clearAll'>;

const byObjectKey = headLoader('objectKey', headProjection);
const byObjectKeyForReader = headLoader('objectKey', readerProjection);
const byId = headLoader('_id', headProjection);

function headLoader(key: 'objectKey' | '_id', projection: typeof headProjection | typeof readerProjection) {
  return (context: RequestContext): DataLoader<string, TranslationHead | null> =>
    new DataLoader(
      async (keys) => {
        const records = await translationsOf(context).find({ [key]: { $in: [...keys] } }, { projection });
        const found = new Map(records.map((record) => [record[key], record]));
        return keys.map((wanted) => found.get(wanted) ?? null);
      },
      { maxBatchSize },
    );
}

function wholeById(context: RequestContext): DataLoader<string, StoredTranslation | null> {
  return new DataLoader((ids) => findByIds(translationsOf(context), ids), { maxBatchSize });
}

const membersLoaders = {
  none: membersLoader(headProjection),
  public: membersLoader(publicProjection),
  editorial: membersLoader(workProjection),
} as const;

function membersLoader(projection: typeof headProjection | typeof publicProjection | typeof workProjection) {
  return (context: RequestContext): DataLoader<string, (TranslationHead & Partial<TranslationTexts>)[]> =>
    new DataLoader(
      async (groupIds) => {
        const records: (TranslationHead & Partial<TranslationTexts>)[] = await translationsOf(context).find(
          { groupId: { $in: [...groupIds] } },
          { projection, sort: { createdAt: 1, _id: 1 } },
        );
        const groups = Map.groupBy(records, ({ groupId }) => groupId);
        return groupIds.map((groupId) => groups.get(groupId) ?? []);
      },
      { maxBatchSize },
    );
}

function translationsOf({ installationId }: RequestContext) {
  return scoped(TranslationModel, installationId);
}
