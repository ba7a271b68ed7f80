import type { QueryFilter } from 'mongoose';
import type { QuerytranslationsArgs, TranslationFilter } from '../../../schema/translation.generated.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { AppError, invalidFields } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../platform/pagination/findPage.ts';
import { loadLanguageSettings } from '../language/languageSettings.ts';
import { nameLanguage } from '../resolution/nameLanguage.ts';
import { fromEnumName } from '../translatable/enumNames.ts';
import { headProjection, type StoredTranslation, TranslationModel } from './model.ts';
import { fromRecord, type TranslationParent } from './TranslationParent.ts';

/** Where counting stops: nobody reads on, and the cost of a list must not grow with it. */
const mostCounted = 10_000;

/** A page of work, and what it was taken from. */
export interface TranslationConnectionParent extends Connection<TranslationParent> {
  readonly filter: QueryFilter<StoredTranslation>;
}

/** The work on the texts of the installation, what was changed last first. One command a page, from an index. */
export async function workList(
  context: RequestContext,
  { filter: stated, first, after }: QuerytranslationsArgs,
): Promise<TranslationConnectionParent> {
  const filter = await toFilter(context, stated ?? {});
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
  return { ...page, nodes: page.nodes.map((record) => fromRecord(record)), filter };
}

/** How many there are; exact to 10,000, then `10000+`. */
export async function countWork(
  { installationId }: RequestContext,
  { filter }: TranslationConnectionParent,
): Promise<string> {
  const count = await scoped(TranslationModel, installationId).count(filter, { limit: mostCounted + 1 });
  return count > mostCounted ? `${mostCounted}+` : String(count);
}

async function toFilter(
  context: RequestContext,
  { language, objectType, status, outdated, live, assigneeId }: TranslationFilter,
): Promise<QueryFilter<StoredTranslation>> {
  const code = language == null ? null : await codeOf(context, language);
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
