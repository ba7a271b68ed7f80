import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../../platform/errors/AppError.ts';
import { type ReadOptions, reads, type ScopedReads } from '../../../platform/installation/scoped.ts';
import { type Count, toCount } from '../../../platform/pagination/Count.ts';
import { type Connection, findPage } from '../../../platform/pagination/findPage.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import {
  headProjection,
  type Status,
  type StoredTranslation,
  TranslationModel,
} from '../../records/model.ts';
import { fromRecord, type TranslationParent } from '../../records/TranslationParent.ts';
import type { QuerytranslationsArgs, TranslationFilter } from '../../translation.generated.ts';
import { findMissing, type MissingRequest, toMissingRequest } from './missingList.ts';
import { translationCoverage } from './translationCoverage.ts';

/** Maximum count. Readers rarely page further, and the cost of a list must not grow with it. */
const mostCounted = 10_000;

/** A page of work, and how to count the whole list. */
export interface TranslationConnectionParent extends Connection<TranslationParent> {
  readonly count: () => Promise<Count>;
}

/**
 * Returns the work on the installation's texts in descending order of change, or the objects without a text in a
 * language. Each page and status is one command from an index.
 */
export async function workList(
  context: RequestContext,
  { filter: stated, first, after }: QuerytranslationsArgs,
): Promise<TranslationConnectionParent> {
  const code = stated?.language == null ? null : await codeOf(context, stated.language);
  if (stated?.missing) {
    const request = toMissingRequest(stated, code);
    const missing = await findMissing(context, request, { first, after });
    return { ...missing, count: once(() => countMissing(context, request)) };
  }
  const filter = toFilter(stated ?? {}, code);
  const statuses = statusesOf(stated ?? {});
  const collection = reads(TranslationModel, context.installationId);
  const page = await findPage<StoredTranslation>({
    context,
    first,
    after,
    filter,
    sort: [{ key: 'updatedAt', direction: -1 }],
    binding: statuses,
    collection: { find: (...read) => findByStatus(collection, statuses, ...read) },
  });
  return {
    ...page,
    nodes: page.nodes.map((record) => fromRecord(record)),
    count: once(async () => {
      const status = statuses.length > 0 ? { status: { $in: statuses } } : {};
      const counted = await collection.count({ ...filter, ...status }, { limit: mostCounted + 1 });
      return toCount(counted, mostCounted);
    }),
  };
}

/** Counts the objects without a text in the language, as the coverage does. */
async function countMissing(context: RequestContext, { code, types }: MissingRequest): Promise<Count> {
  const counts = await Promise.all(
    types.map(async (type) => {
      const cells = await translationCoverage(context, type);
      return cells.find(({ language }) => language.entry.code === code)?.missing ?? 0;
    }),
  );
  return toCount(
    counts.reduce((sum, count) => sum + count, 0),
    mostCounted,
  );
}

/** Counts at most once, for all members that need the number. */
function once(count: () => Promise<Count>): () => Promise<Count> {
  let counted: Promise<Count> | undefined;
  return () => {
    counted ??= count();
    return counted;
  };
}

type Work = ScopedReads<StoredTranslation>;

/** Merges a page of each status: an index returns one status in order, but several only by sorting all. */
async function findByStatus(
  collection: Work,
  statuses: readonly Status[],
  query: QueryFilter<StoredTranslation>,
  { limit = 0, ...options }: ReadOptions<StoredTranslation> = {},
): Promise<StoredTranslation[]> {
  const wanted = { ...options, limit, projection: headProjection };
  if (statuses.length === 0) return collection.find(query, wanted);
  const pages = await Promise.all(statuses.map((status) => collection.find({ ...query, status }, wanted)));
  return pages.length === 1
    ? (pages[0] ?? [])
    : pages
        .flat()
        .sort((a, b) => +b.updatedAt - +a.updatedAt || (a._id < b._id ? 1 : -1))
        .slice(0, limit);
}

function statusesOf({ status }: TranslationFilter): Status[] {
  if (status?.length === 0) {
    const detail = 'A list of statuses must contain at least one status.';
    throw invalidFields([{ pointer: '#/filter/status', code: 'invalid', detail }]);
  }
  return [...new Set(status)];
}

function toFilter(
  { objectType, outdated, live, assigneeId }: TranslationFilter,
  code: string | null,
): QueryFilter<StoredTranslation> {
  return {
    ...(code === null ? {} : { language: code }),
    ...(objectType == null ? {} : { objectType }),
    ...(outdated == null ? {} : { outdated }),
    ...(live == null ? {} : { liveSince: live ? { $ne: null } : null }),
    ...(assigneeId == null ? {} : { assigneeId }),
  };
}

async function codeOf(context: RequestContext, language: string): Promise<string> {
  const found = nameLanguage(await loadLanguageSettings(context), language);
  if (!found)
    throw new AppError('language_not_configured', 'The language is not configured in this installation.');
  return found.code;
}
