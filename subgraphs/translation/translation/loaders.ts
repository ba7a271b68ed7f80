import DataLoader from 'dataloader';
import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import {
  headProjection,
  publishedProjection,
  type StoredTranslation,
  type TranslationHead,
  TranslationModel,
} from './model.ts';

const maxBatchSize = 1000;

/** The record of an object key, without its texts; null when the object never had one. */
export function loadByObjectKey(context: RequestContext, key: string): Promise<TranslationHead | null> {
  return context.loader(byObjectKey).load(key);
}

/** The record of an id, without its texts. */
export function loadHead(context: RequestContext, id: string): Promise<TranslationHead | null> {
  return context.loader(byId).load(id);
}

/** The whole record of an id. */
export function loadStored(context: RequestContext, id: string): Promise<StoredTranslation | null> {
  return context.loader(wholeById).load(id);
}

/** The members of a group, without their texts, the oldest first. */
export function loadMembers(context: RequestContext, groupId: string): Promise<TranslationHead[]> {
  return context.loader(byGroup).load(groupId);
}

/** Which members of a group can be chosen for a reader. */
export interface CandidateFilter {
  readonly codes: readonly string[];
  /** Whether the source can be chosen whatever its language is. */
  readonly withSource: boolean;
  /** Whether they come with what readers get of them. */
  readonly withTexts: boolean;
}

/**
 * The members of a group that can be chosen: of ten languages a reader's chain has two or three, so a list of a thousand
 * groups does not load thousands of records that nobody will get, and their published texts need no other command.
 */
export function loadCandidates(
  context: RequestContext,
  groupId: string,
  filter: CandidateFilter,
): Promise<TranslationHead[]> {
  const loaders = context.loader(byFilter);
  const key = `${filter.codes.join()} ${filter.withSource} ${filter.withTexts}`;
  let loader = loaders.get(key);
  if (!loader) {
    loader = groupLoader(context, filter);
    loaders.set(key, loader);
  }
  return loader.load(groupId);
}

/** Forgets what was loaded, after a write: the rest of the request reads what is stored now. */
export function forgetTranslations(context: RequestContext): void {
  for (const factory of [byObjectKey, byId, wholeById, byGroup]) context.loader<Cache>(factory).clearAll();
  context.loader(byFilter).clear();
}

type Cache = Pick<DataLoader<string, unknown>, 'clearAll'>;

const byObjectKey = headLoader('objectKey');
const byId = headLoader('_id');

function headLoader(key: 'objectKey' | '_id') {
  return (context: RequestContext): DataLoader<string, TranslationHead | null> =>
    new DataLoader(
      async (keys) => {
        const records = await translationsOf(context).find(
          { [key]: { $in: [...keys] } },
          { projection: headProjection },
        );
        const found = new Map(records.map((record) => [record[key], record]));
        return keys.map((wanted) => found.get(wanted) ?? null);
      },
      { maxBatchSize },
    );
}

function wholeById(context: RequestContext): DataLoader<string, StoredTranslation | null> {
  return new DataLoader(
    async (ids) => {
      const records = await translationsOf(context).find({ _id: { $in: [...ids] } });
      const found = new Map(records.map((record) => [record._id, record]));
      return ids.map((id) => found.get(id) ?? null);
    },
    { maxBatchSize },
  );
}

function byGroup(context: RequestContext): DataLoader<string, TranslationHead[]> {
  return groupLoader(context, null);
}

function byFilter(): Map<string, DataLoader<string, TranslationHead[]>> {
  return new Map();
}

function groupLoader(
  context: RequestContext,
  filter: CandidateFilter | null,
): DataLoader<string, TranslationHead[]> {
  return new DataLoader(
    async (groupIds) => {
      const records = await translationsOf(context).find(
        { groupId: { $in: [...groupIds] }, ...(filter ? toQuery(filter) : {}) },
        {
          projection: filter?.withTexts ? publishedProjection : headProjection,
          sort: { createdAt: 1, _id: 1 },
        },
      );
      const groups = Map.groupBy(records, ({ groupId }) => groupId);
      return groupIds.map((groupId) => groups.get(groupId) ?? []);
    },
    { maxBatchSize },
  );
}

function toQuery({ codes, withSource }: CandidateFilter): QueryFilter<StoredTranslation> {
  const language = { $in: [...codes] };
  return withSource ? { $or: [{ language }, { isSource: true }] } : { language };
}

function translationsOf({ installationId }: RequestContext) {
  return scoped(TranslationModel, installationId);
}
