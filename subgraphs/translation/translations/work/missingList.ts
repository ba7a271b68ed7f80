import type { QueryFilter } from 'mongoose';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import type { ObjectHead } from '../../../platform/events/objectHeads.ts';
import { reads, type ScopedReads } from '../../../platform/installation/scoped.ts';
import { decodeCursor, encodeCursor } from '../../../platform/pagination/cursor.ts';
import { type Connection, pageSize } from '../../../platform/pagination/findPage.ts';
import { toPageInfo } from '../../../platform/pagination/PageInfo.ts';
import { type LanguageSettings, loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameContentLanguage } from '../../languages/resolution/nameLanguage.ts';
import { assumedLanguageOf, loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { type ObjectType, objectKeyOf } from '../../objects/ObjectRef.ts';
import { ObjectHeadModel, type PublicHead, rememberHead, shown } from '../../objects/objectHeads.ts';
import { headProjection, type TranslationHead, TranslationModel } from '../../records/model.ts';
import { type TranslationParent, toTranslationParent } from '../../records/TranslationParent.ts';
import type { TranslationFilter } from '../../translation.generated.ts';

/**
 * Maximum number of objects that are examined for one page. If most are translated, the page is shorter than requested.
 */
const lookedAt = 200;

/** Type and language of missing texts. */
export interface MissingRequest {
  /** Code of the language that it should be in. */
  readonly code: string;
  readonly types: readonly ObjectType[];
}

const translatable: readonly ObjectType[] = ['dealer', 'listing', 'media', 'page'];
const ofTexts = ['status', 'outdated', 'live', 'assigneeId'] as const;

/**
 * Returns the request of a filter with `missing`.
 *
 * @param code of the language that the filter names
 * @throws AppError `validation_failed` if it names no language, or a condition that only an existing text can meet
 */
export function toMissingRequest(filter: TranslationFilter, code: string | null): MissingRequest {
  const detail = 'Missing translations have no status, assignee or state, so these filters are not allowed.';
  const problems = ofTexts.flatMap((member) =>
    filter[member] == null ? [] : [{ pointer: `#/filter/${member}`, code: 'conflict', detail }],
  );
  if (code === null) {
    const needed = 'A search for missing translations needs a language.';
    problems.push({ pointer: '#/filter/language', code: 'required', detail: needed });
  }
  if (code === null || problems.length > 0) throw invalidFields(problems);
  return { code, types: filter.objectType == null ? translatable : [filter.objectType] };
}

/**
 * Returns objects without a text in a language, in ascending order for each type; of objects with the same content,
 * only the source. Each page is three commands from indexes, and one more at the end of a type. Owners are queried only
 * for non-public objects.
 */
export async function findMissing(
  context: RequestContext,
  request: MissingRequest,
  { first, after }: { first?: number | null | undefined; after?: string | null | undefined },
): Promise<Connection<TranslationParent>> {
  const size = pageSize(first);
  const binding = ['missing', request];
  const heads = await readHeads(context, request, after ? decodeCursor(context, binding, after) : null);
  const settings = await loadLanguageSettings(context);
  const missing = await withoutText(context, heads, request.code, settings);
  const page = missing.slice(0, size);
  // After the last one shown, or after all that were examined.
  const last = missing.length > size ? page.at(-1)?.head : heads.at(-1);
  const hasNextPage = missing.length > size || heads.length === lookedAt;
  const nodes = await Promise.all(page.map((entry) => toNode(context, settings, entry)));
  const cursorOf = (head: Head) => encodeCursor(context, binding, [head.objectType, head._id]);
  const found = page.flatMap(({ head }, index) => (nodes[index] ? [head] : []));
  return {
    nodes: nodes.flatMap((node) => node ?? []),
    pageInfo: toPageInfo(found, {
      hasNextPage,
      after,
      cursorOf,
      ...(last && hasNextPage && { endCursor: () => cursorOf(last) }),
    }),
  };
}

type Head = PublicHead & Pick<ObjectHead, '_id' | 'objectType' | 'objectId' | 'visibility'>;

/** An object without a text in the language; with its record, if it has one. */
interface Missing {
  readonly head: Head;
  readonly record: TranslationHead | null;
}

/** Returns the next objects after a position, in any language. */
async function readHeads(
  { installationId }: RequestContext,
  { types }: MissingRequest,
  start: readonly unknown[] | null,
): Promise<Head[]> {
  const heads = reads(ObjectHeadModel, installationId);
  const read = (filter: QueryFilter<ObjectHead>, limit: number): Promise<Head[]> =>
    heads.find(
      { deleted: false, ...filter },
      {
        projection: { ...shown, objectType: 1, objectId: 1, visibility: 1 },
        sort: { objectType: 1, _id: 1 },
        limit,
      },
    );
  const [type, id] = (start ?? []) as [ObjectType?, string?];
  if (type === undefined || id === undefined) return read({ objectType: { $in: [...types] } }, lookedAt);
  // Sequential: for both conditions at once, a database would read and sort everything after the position.
  const behind = await read({ objectType: type, _id: { $gt: id } }, lookedAt);
  const left = types.filter((one) => one > type);
  if (behind.length === lookedAt || left.length === 0) return behind;
  return [...behind, ...(await read({ objectType: { $in: left } }, lookedAt - behind.length))];
}

/** Returns the objects without a text in the language, neither their own nor a translation. */
async function withoutText(
  { installationId }: RequestContext,
  heads: readonly Head[],
  code: string,
  settings: LanguageSettings,
): Promise<Missing[]> {
  if (heads.length === 0) return [];
  const translations = reads(TranslationModel, installationId);
  const records = await translations.find(
    { objectKey: { $in: heads.map(({ _id }) => _id) } },
    { projection: headProjection },
  );
  const byKey = new Map(records.map((record) => [record.objectKey, record]));
  const present = await findPresent(translations, records, code);
  return heads
    .map((head) => ({ head, record: byKey.get(head._id) ?? null }))
    .filter(({ head: { objectType, languageTag, title }, record }) => {
      // A file without texts has none that could be missing.
      if (objectType === 'media' && title === '') return false;
      const groupId = record?.groupId ?? null;
      if (groupId !== null && (record?.isSource === false || present.has(groupId))) return false;
      const own = languageTag === null ? null : nameContentLanguage(settings, languageTag)?.code;
      const said = groupId === null ? (own ?? record?.language) : record?.language;
      return (said ?? assumedLanguageOf(settings, objectType)) !== code;
    });
}

/** Returns groups with a text in the language; archived ones do not count. */
async function findPresent(
  translations: ScopedReads<TranslationHead>,
  records: readonly TranslationHead[],
  code: string,
): Promise<ReadonlySet<string | null>> {
  const groupIds = [...new Set(records.flatMap(({ groupId }) => groupId ?? []))];
  if (groupIds.length === 0) return new Set();
  const members = await translations.find(
    {
      slotKey: { $in: groupIds.map((groupId) => `${groupId}|${code}`) },
      $or: [{ origin: 'linked' }, { status: { $ne: 'archived' } }],
    },
    { projection: { groupId: 1 } },
  );
  return new Set(members.map(({ groupId }) => groupId));
}

async function toNode(
  context: RequestContext,
  settings: LanguageSettings,
  { head, record }: Missing,
): Promise<TranslationParent | null> {
  const ref = { type: head.objectType, id: head.objectId };
  const known = rememberHead(context, ref, head);
  const owned = known ?? (await loadMarketplaceObject(context, ref));
  if (record === null && !owned.exists) return null;
  const accessSource = known ? 'publicHeadOrOwner' : 'ownerAccess';
  const object = { ref, key: objectKeyOf(ref), marketplaceObject: ref, record, owned, accessSource } as const;
  return toTranslationParent(settings, object, 'editorial');
}
