import DataLoader from 'dataloader';
import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import {
  headProjection,
  readerProjection,
  type StoredTranslation,
  type TranslationHead,
  TranslationModel,
  workProjection,
} from './model.ts';

const maxBatchSize = 1000;
/** Maximum number of slots that are read by name; beyond it, whole groups are read. */
const mostSlots = 5000;

/** Selects the members of a group that can be chosen for a reader. */
export interface CandidateFilter {
  readonly codes: readonly string[];
  /** Whether the source is a candidate regardless of its language. */
  readonly withSource: boolean;
  /** Recipient: readers get published texts, editors the texts in progress. */
  readonly view: 'public' | 'editorial';
  /** Whether no texts are wanted. */
  readonly omitTexts: boolean;
  /** Whether members for editors are omitted. */
  readonly omitWork: boolean;
}

/** A requested member that has already been read. */
type Member = TranslationHead & { groupId: string };

/**
 * Returns the members of a group that can be chosen. A reader's chain has two or three of ten languages, so a list of a
 * thousand groups does not load thousands of unused records. The requested member is not read again.
 */
export async function loadCandidates(
  context: RequestContext,
  asked: TranslationHead,
  filter: CandidateFilter,
): Promise<TranslationHead[]> {
  if (asked.groupId === null) return [asked];
  const loaders = context.loader(byFilter);
  const key = JSON.stringify(filter);
  let loader = loaders.get(key);
  if (!loader) {
    loader = createLoader(context, filter);
    loaders.set(key, loader);
  }
  const others = await loader.load(asked as Member);
  return isCandidate(asked, filter) ? [asked, ...others] : others;
}

/** Drops cached candidates after a write. */
export function forgetCandidates(context: RequestContext): void {
  context.loader(byFilter).clear();
}

function byFilter(): Map<string, DataLoader<Member, TranslationHead[], string>> {
  return new Map();
}

function createLoader(
  context: RequestContext,
  filter: CandidateFilter,
): DataLoader<Member, TranslationHead[], string> {
  const projection = projectionOf(filter);
  return new DataLoader(
    async (asked) => {
      const query = toQuery(asked, filter);
      const records = query
        ? await scoped(TranslationModel, context.installationId).find(query, { projection })
        : [];
      const groups = Map.groupBy(
        records.filter((record) => isCandidate(record, filter)),
        ({ groupId }) => groupId,
      );
      return asked.map(({ _id, groupId }) =>
        (groups.get(groupId) ?? []).filter((record) => record._id !== _id),
      );
    },
    { maxBatchSize, cacheKeyFn: ({ _id }) => _id },
  );
}

function projectionOf({ view, omitTexts, omitWork }: CandidateFilter) {
  if (!omitWork) return omitTexts ? headProjection : workProjection;
  if (omitTexts) return readerProjection;
  return view === 'editorial'
    ? { ...readerProjection, fields: 1 as const }
    : { ...readerProjection, publishedFields: 1 as const };
}

function isCandidate({ language, isSource }: TranslationHead, filter: CandidateFilter): boolean {
  return filter.codes.includes(language) || (filter.withSource && isSource);
}

/** Returns the query; null if the requested members are the only candidates. */
function toQuery(
  asked: readonly Member[],
  { codes, withSource }: CandidateFilter,
): QueryFilter<StoredTranslation> | null {
  const slotKey = asked.flatMap(({ groupId, language }) =>
    codes.flatMap((code) => (code === language ? [] : `${groupId}|${code}`)),
  );
  if (slotKey.length > mostSlots) return { groupId: { $in: asked.map(({ groupId }) => groupId) } };
  const sourceless = withSource ? asked.flatMap(({ groupId, isSource }) => (isSource ? [] : groupId)) : [];
  const parts: QueryFilter<StoredTranslation>[] = [
    ...(slotKey.length > 0 ? [{ slotKey: { $in: slotKey } }] : []),
    ...(sourceless.length > 0 ? [{ groupId: { $in: sourceless }, isSource: true }] : []),
  ];
  const [only] = parts;
  return only === undefined ? null : parts.length === 1 ? only : { $or: parts };
}
