import type { QueryFilter } from 'mongoose';
import type { QuerytranslationsArgs, TranslationFilter } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../platform/pagination/findPage.ts';
import { loadLanguageSettings } from '../language/languageSettings.ts';
import { nameLanguage } from '../resolution/nameLanguage.ts';
import { fromEnumName } from '../translatable/enumNames.ts';
import { findMissing, type MissingWish, toMissingWish } from './missingList.ts';
import { headProjection, type StoredTranslation, TranslationModel } from './model.ts';
import { fromRecord, type TranslationParent } from './TranslationParent.ts';
import { translationCoverage } from './translationCoverage.ts';

/** Where counting stops: nobody reads on, and the cost of a list must not grow with it. */
const mostCounted = 10_000;

/** A page of work, and how to count the whole list. */
export interface TranslationConnectionParent extends Connection<TranslationParent> {
  readonly count: () => Promise<string>;
}

/**
 * The work on the texts of the installation, what was changed last first; or the objects that have no text in a
 * language. One command a page, from an index.
 */
export async function workList(
  context: RequestContext,
  { filter: stated, first, after }: QuerytranslationsArgs,
): Promise<TranslationConnectionParent> {
  const code = stated?.language == null ? null : await codeOf(context, stated.language);
  if (stated?.missing) {
    const wish = toMissingWish(stated, code);
    const missing = await findMissing(context, wish, { first, after });
    return { ...missing, count: () => countMissing(context, wish) };
  }
  const filter = toFilter(stated ?? {}, code);
  const collection = scoped(TranslationModel, context.installationId);
  const page = await findPage<StoredTranslation>({
    context,
    first,
    after,
    filter,
    sort: [{ key: 'updatedAt', direction: -1 }],
    collection: {
      find: (...[query, options]) => collection.find(query, { ...options, projection: headProjection }),
    },
  });
  return {
    ...page,
    nodes: page.nodes.map((record) => fromRecord(record)),
    count: async () => toCount(await collection.count(filter, { limit: mostCounted + 1 })),
  };
}

/** How many objects have no text in the language, as the coverage says. */
async function countMissing(context: RequestContext, { code, types }: MissingWish): Promise<string> {
  const counts = await Promise.all(
    types.map(async (type) => {
      const cells = await translationCoverage(context, type);
      return cells.find(({ language }) => language.entry.code === code)?.missing ?? 0;
    }),
  );
  return toCount(counts.reduce((sum, count) => sum + count, 0));
}

function toCount(count: number): string {
  return count > mostCounted ? `${mostCounted}+` : String(count);
}

function toFilter(
  { objectType, status, outdated, live, assigneeId }: TranslationFilter,
  code: string | null,
): QueryFilter<StoredTranslation> {
  if (status?.length === 0) {
    const detail = 'A list of statuses names at least one.';
    throw invalidFields([{ pointer: '#/filter/status', code: 'invalid', detail }]);
  }
  const statuses = [...new Set(status?.map(fromEnumName))];
  const [only] = statuses;
  return {
    ...(code === null ? {} : { language: code }),
    ...(objectType == null ? {} : { objectType: fromEnumName(objectType) }),
    ...(only === undefined ? {} : { status: statuses.length === 1 ? only : { $in: statuses } }),
    ...(outdated == null ? {} : { outdated }),
    ...(live == null ? {} : { liveSince: live ? { $ne: null } : null }),
    ...(assigneeId == null ? {} : { assigneeId }),
  };
}

async function codeOf(context: RequestContext, language: string): Promise<string> {
  const found = nameLanguage(await loadLanguageSettings(context), language);
  if (!found) throw new AppError('language_not_configured', 'The language is not configured here.');
  return found.code;
}
